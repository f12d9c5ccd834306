// Package embedded is a back end in the program itself, over a folder of files that an editor writes by hand, described
// in docs/content.md. The site reads it without HTTP (Backend has the methods of both clients); Handler speaks the
// panel's and the integration API over a port. The folder demo beside this file is a complete example.
//
// A folder of the disk is best opened with [os.OpenRoot], whose file system does not follow links out of the folder.
package embedded
