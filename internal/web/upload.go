package web

import (
	"io"
	"net/http"
	"time"
)

// The least speed of an upload, 4 KiB a second: a tenth of the slowest mobile connection.
const (
	uploadStep = 80 << 10
	uploadTime = 20 * time.Second // for each step
	uploadEnd  = 15 * time.Minute // for all of it: the largest form at the slowest connection takes 13
)

// AllowUpload lets a body of at most limit bytes take longer than the server's timeouts, as long as it makes progress,
// for a quarter of an hour: otherwise Read fails with os.ErrDeadlineExceeded. Beyond the limit the error is an
// *http.MaxBytesError.
func AllowUpload(w http.ResponseWriter, r *http.Request, limit int64) {
	body := &upload{ReadCloser: r.Body, control: http.NewResponseController(w), end: time.Now().Add(uploadEnd)}
	r.Body = http.MaxBytesReader(w, body, limit)
}

type upload struct {
	io.ReadCloser
	control *http.ResponseController
	end     time.Time
	missing int           // bytes until the step is done
	left    time.Duration // for them; the handler's time between two reads does not count
}

func (u *upload) Read(p []byte) (int, error) {
	if u.missing <= 0 {
		u.missing, u.left = uploadStep, uploadTime
	}
	begin := time.Now()
	deadline := begin.Add(min(u.left, u.end.Sub(begin)))
	_ = u.control.SetReadDeadline(deadline) // a test's recorder has none
	_ = u.control.SetWriteDeadline(deadline.Add(answerTime))
	n, err := u.ReadCloser.Read(p)
	u.missing -= n
	u.left -= time.Since(begin)
	return n, err
}

// answerTime is the time for the answer, from the end of the upload.
const answerTime = 2 * time.Minute
