import fs from 'node:fs';
import net from 'node:net';
import type { GatewayProcess } from '../../contract/gateway/gatewayProcess.ts';

/** Connections that write raw bytes; close them with {@link RawClient.closeConnections}. */
export class RawClient {
	readonly #gateway: GatewayProcess;
	readonly #sockets: net.Socket[] = [];

	constructor(gateway: GatewayProcess) {
		this.#gateway = gateway;
	}

	/** Opens a connection whose errors are ignored. */
	openConnection(): net.Socket {
		const socket = net.connect(Number(new URL(this.#gateway.baseUrl).port), '127.0.0.1');
		socket.on('error', () => {});
		this.#sockets.push(socket);
		return socket;
	}

	/** Formats a raw HTTP request that includes the gateway's key. */
	formatRequest(method: string, path: string, body?: string): string {
		const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${this.#gateway.apiKey}\r\n`;
		return body === undefined
			? `${head}\r\n`
			: `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
	}

	/** Writes bytes on a separate connection and returns what is received until it ends, or `ms` have passed. */
	async exchangeBytes(bytes: string | Buffer, ms = 2_000): Promise<string> {
		const socket = this.openConnection();
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

	closeConnections(): void {
		for (const socket of this.#sockets.splice(0)) {
			socket.destroy();
		}
	}
}

/** Returns a process's memory in megabytes; undefined if the system doesn't report it. */
export function readResidentMegabytes(pid: number): number | undefined {
	try {
		const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
		return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
	} catch {
		return undefined;
	}
}

/** Returns the milliseconds of a health check. */
export async function measureHealthMs({ baseUrl }: GatewayProcess): Promise<number> {
	const began = performance.now();
	const response = await fetch(`${baseUrl}/healthz`);
	await response.text();
	if (response.status !== 200) {
		throw new Error(`The health check answered ${response.status}`);
	}
	return performance.now() - began;
}
