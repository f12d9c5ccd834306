//go:build !race

package media

import "zedcard/internal/picture"

func encoder() *picture.Worker { return workers.AVIF }

func removeEncoder() {}
