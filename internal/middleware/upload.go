package middleware

import (
	"io"
	"net/http"
	"time"
)

// The least speed of an upload, 4 KiB a second: a tenth of the slowest mobile connection.
const (
	uploadStep = 80 << 10
	uploadTime = 20 * time.Second // for each step
)

// AllowUpload lets a body of at most limit bytes take longer than the server's timeouts, as long as it makes progress:
// otherwise Read fails with os.ErrDeadlineExceeded. Beyond the limit the error is an *http.MaxBytesError.
func AllowUpload(w http.ResponseWriter, r *http.Request, limit int64) {
	r.Body = http.MaxBytesReader(w, &upload{ReadCloser: r.Body, control: http.NewResponseController(w)}, limit)
}

type upload struct {
	io.ReadCloser
	control *http.ResponseController
	missing int           // bytes until the step is done
	left    time.Duration // for them; the handler's time between two reads does not count
}

func (u *upload) Read(p []byte) (int, error) {
	if u.missing <= 0 {
		u.missing, u.left = uploadStep, uploadTime
	}
	begin := time.Now()
	_ = u.control.SetReadDeadline(begin.Add(u.left)) // a test's recorder has none
	_ = u.control.SetWriteDeadline(begin.Add(u.left + answerTime))
	n, err := u.ReadCloser.Read(p)
	u.missing -= n
	u.left -= time.Since(begin)
	return n, err
}

// answerTime is the time for the answer, from the end of the upload.
const answerTime = 2 * time.Minute
