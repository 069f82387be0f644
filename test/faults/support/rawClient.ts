import fs from 'node:fs';
import net from 'node:net';
import type { GatewayProcess } from '../../contract/gateway/gatewayProcess.ts';

/** Connections that write bytes of the test's own; to be ended by {@link RawClient.end}. */
export class RawClient {
	readonly #gateway: GatewayProcess;
	readonly #sockets: net.Socket[] = [];

	constructor(gateway: GatewayProcess) {
		this.#gateway = gateway;
	}

	/** A connection. Faults of it are no concern of the test. */
	connect(): net.Socket {
		const socket = net.connect(Number(new URL(this.#gateway.baseUrl).port), '127.0.0.1');
		socket.on('error', () => {});
		this.#sockets.push(socket);
		return socket;
	}

	/** A request as bytes, with the key. */
	request(method: string, path: string, body?: string): string {
		const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${this.#gateway.apiKey}\r\n`;
		return body === undefined
			? `${head}\r\n`
			: `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
	}

	/** Writes bytes on a connection of their own and returns what comes back until it ends, or `ms` have passed. */
	async exchange(bytes: string | Buffer, ms = 2_000): Promise<string> {
		const socket = this.connect();
		let answer = '';
		socket.on('data', chunk => {
			answer += chunk.toString('latin1');
			if (answer.includes('\r\n\r\n')) {
				socket.end();
			}
		});
		socket.setTimeout(ms, () => socket.destroy());
		socket.write(bytes);
		await new Promise(resolve => socket.once('close', resolve));
		return answer;
	}

	end(): void {
		for (const socket of this.#sockets.splice(0)) {
			socket.destroy();
		}
	}
}

/** Megabytes of memory that a process has; undefined where the system does not say. */
export function residentMegabytes(pid: number): number | undefined {
	try {
		const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
		return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
	} catch {
		return undefined;
	}
}

/** Milliseconds that the health check takes. */
export async function healthMs({ baseUrl }: GatewayProcess): Promise<number> {
	const began = performance.now();
	const response = await fetch(`${baseUrl}/healthz`);
	await response.text();
	if (response.status !== 200) {
		throw new Error(`The health check answered ${response.status}`);
	}
	return performance.now() - began;
}
