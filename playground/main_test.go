package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestTheServerAnswersOnlyToItsOwnHost(t *testing.T) {
	h := onlyFor("127.0.0.1:8099", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for host, want := range map[string]int{
		"127.0.0.1:8099": http.StatusOK, "localhost:8099": http.StatusOK, "127.0.0.1": http.StatusMisdirectedRequest,
		"localhost:80": http.StatusMisdirectedRequest, "example.com:8099": http.StatusMisdirectedRequest,
		"": http.StatusMisdirectedRequest,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: status %d, want %d", host, w.Code, want)
		}
	}
}
