import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';

/** A separate gateway for a test, with separate data and agents folders. */
export class GatewayProcess {
	readonly #child: ChildProcess;
	readonly url: string;
	readonly key: string;

	private constructor(child: ChildProcess, url: string, key: string) {
		this.#child = child;
		this.url = url;
		this.key = key;
	}

	static async start(data: string, agents: string): Promise<GatewayProcess> {
		const program = path.join(getExtensionUnderTest().extensionPath, 'dist', 'gateway.js');
		const args = [program, '--port', '0', '--data', data, '--agents', agents, '--ready-json'];
		const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
		const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
		const { base_url, api_key } = JSON.parse(line) as { base_url: string; api_key: string };
		return new GatewayProcess(child, base_url, api_key);
	}

	async stop(): Promise<void> {
		const ended = once(this.#child, 'exit');
		this.#child.kill();
		await ended;
	}
}
