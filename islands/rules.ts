// The site's rules that the browser follows too. Generated: go test ./handlers -run Rules -update
export const adultAge = 18;
export const maxPhotoBytes = 10485760;
export const maxNameLength = 12; // characters of a file's name that are shown
export const idPattern = /^[!-+\--~]{1,64}$/; // of a talent
