// Package frameworks has the tools of an [atomicedit.Host] in the form that frameworks for agents want, with one file
// to copy for each framework. Every tool answers with the text for the model, whether the call has succeeded or not:
// most frameworks end the run of an agent if a tool returns an error.
package frameworks
