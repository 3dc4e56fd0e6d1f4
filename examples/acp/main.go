// Acp is an agent for editors that speak the Agent Client Protocol. It carries out the edits in a prompt, in any format
// that [atomicedit.Parse] reads, on the texts that the editor has open: a stand-in for a model, to show the store in
// store.go. The editor starts it and talks to it over standard input and output.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/coder/acp-go-sdk"

	"github.com/atomicedit/atomicedit"
)

func main() {
	a := &agent{}
	a.conn = acp.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	<-a.conn.Done()
}

type agent struct {
	conn *acp.AgentSideConnection

	mu    sync.Mutex
	hosts map[acp.SessionId]*atomicedit.Host // one for each conversation
}

func (a *agent) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	return acp.InitializeResponse{ProtocolVersion: acp.ProtocolVersionNumber}, nil
}

func (a *agent) NewSession(_ context.Context, p acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	id := acp.SessionId(rand.Text())
	files := &Files{editor: a.conn, session: id, root: filepath.ToSlash(p.Cwd)}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hosts == nil {
		a.hosts = map[acp.SessionId]*atomicedit.Host{}
	}
	a.hosts[id] = &atomicedit.Host{Store: atomicedit.NewSession(files)}
	return acp.NewSessionResponse{SessionId: id}, nil
}

func (a *agent) CloseSession(_ context.Context, p acp.CloseSessionRequest) (acp.CloseSessionResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.hosts, p.SessionId)
	return acp.CloseSessionResponse{}, nil
}

// Prompt carries out the edits in a prompt and answers as it would answer a model.
func (a *agent) Prompt(ctx context.Context, p acp.PromptRequest) (acp.PromptResponse, error) {
	a.mu.Lock()
	host := a.hosts[p.SessionId]
	a.mu.Unlock()
	if host == nil {
		return acp.PromptResponse{}, acp.NewInvalidParams("there is no such session")
	}
	var request strings.Builder
	for _, block := range p.Prompt {
		if block.Text != nil {
			request.WriteString(block.Text.Text)
		}
	}
	said, err := carryOut(ctx, host, request.String())
	if err != nil {
		return acp.PromptResponse{}, err
	}
	err = a.conn.SessionUpdate(ctx,
		acp.SessionNotification{SessionId: p.SessionId, Update: acp.UpdateAgentMessageText(said)})
	return acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, err
}

// carryOut returns the words for the model. An error is one of the machinery.
func carryOut(ctx context.Context, host *atomicedit.Host, request string) (string, error) {
	plan, err := atomicedit.Parse(request)
	if err == nil {
		var answer *atomicedit.Answer
		if answer, err = host.Do(ctx, plan); err == nil {
			return answer.Text, nil
		}
	}
	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) {
		return refusal.Error(), nil
	}
	return "", err
}

// The rest of the protocol is for agents that have modes, options and a history.

func (a *agent) Authenticate(context.Context, acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
	return acp.AuthenticateResponse{}, acp.NewMethodNotFound(acp.AgentMethodAuthenticate)
}

func (a *agent) Cancel(context.Context, acp.CancelNotification) error { return nil }

func (a *agent) ListSessions(context.Context, acp.ListSessionsRequest) (acp.ListSessionsResponse, error) {
	return acp.ListSessionsResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionList)
}

func (a *agent) ResumeSession(context.Context, acp.ResumeSessionRequest) (acp.ResumeSessionResponse, error) {
	return acp.ResumeSessionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionResume)
}

func (a *agent) SetSessionMode(context.Context, acp.SetSessionModeRequest) (acp.SetSessionModeResponse, error) {
	return acp.SetSessionModeResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionSetMode)
}

func (a *agent) SetSessionConfigOption(
	context.Context, acp.SetSessionConfigOptionRequest,
) (acp.SetSessionConfigOptionResponse, error) {
	return acp.SetSessionConfigOptionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionSetConfigOption)
}
