package command

import (
	"context"
	"fmt"

	"zedcard/internal/app"
	"zedcard/internal/config"
)

// runAccept is `zedcard accept`.
func runAccept(_ context.Context, p Process) error {
	c, err := config.Load(p.Args, p.Env)
	if err != nil {
		return err
	}
	gone, err := app.Accept(c)
	if err != nil {
		return err
	}
	message := "nothing is held back"
	if gone > 0 {
		message = fmt.Sprintf("accepted: %d talents leave; a running site takes the folder at once", gone)
	}
	_, err = fmt.Fprintln(p.Stdout, message)
	return err
}
