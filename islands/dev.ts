// The development server's script: it reloads the page when the server reports a change, or when the server has been
// restarted since the page was loaded.

let run: string | undefined;
const stream = new EventSource("/_live");
stream.addEventListener("run", (event) => {
  if (run !== undefined && run !== (event as MessageEvent<string>).data) location.reload();
  run = (event as MessageEvent<string>).data;
});
