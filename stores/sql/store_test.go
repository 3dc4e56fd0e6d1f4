package sqlstore_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

func TestAStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) atomicedit.Store {
				return openStore(t, e.open(t), nil)
			})
		})
	}
}
