// The development server's script: it loads the page anew when the server says that something
// changed, or when another program answers than the one that the page came from.

let run: string | undefined;
const stream = new EventSource("/_live");
stream.addEventListener("run", (event) => {
  if (run !== undefined && run !== (event as MessageEvent<string>).data) location.reload();
  run = (event as MessageEvent<string>).data;
});
stream.addEventListener("reload", () => location.reload());
