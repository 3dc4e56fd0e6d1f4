//go:build !unix

package sqlstore_test

import (
	"os"
	"testing"
)

func postgres(t testing.TB) string {
	dsn := os.Getenv(dsnVariable)
	if dsn == "" {
		t.Skip("PostgreSQL is not tested: set " + dsnVariable)
	}
	return dsn
}

func stopPostgres() {}
