package place_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestMain(m *testing.M) { accepttest.Main(m) }
