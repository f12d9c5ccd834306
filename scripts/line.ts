// A line of the network between browser and site: a proxy that delays every byte by half a round trip in each direction
// and paces those to the browser.
import { connect, createServer, type Socket } from "node:net";

export interface Line {
  rtt: number; // ms
  rate: number; // bytes a second, of all connections together
}

/** delayed writes what it is given to a socket at the given times, in order. */
function delayed(to: Socket): (data: Buffer, at: number) => void {
  let last = Promise.resolve();
  return (data, at) => {
    const due = new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
    last = Promise.all([last, due]).then(() => void (to.writable && to.write(data)));
  };
}

/** startLine listens on a free port and returns the address of the site behind the line. */
export async function startLine(site: string, { rtt, rate }: Line): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(site);
  const sockets = new Set<Socket>();
  let free = 0; // when the line has sent all that waits
  const server = createServer((browser) => {
    const behind = connect(Number(port), hostname);
    const opened = performance.now() + rtt; // the handshake
    const [up, down] = [delayed(behind), delayed(browser)];
    for (const socket of [browser, behind]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => (sockets.delete(socket), browser.destroy(), behind.destroy()));
    }
    browser.on("data", (data: Buffer) => up(data, Math.max(performance.now(), opened) + rtt / 2));
    behind.on("data", (data: Buffer) => {
      for (let from = 0; from < data.length; from += 1460) {
        const packet = data.subarray(from, from + 1460);
        free = Math.max(free, performance.now()) + (packet.length / rate) * 1000;
        down(packet, free + rtt / 2);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
