import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gatewayNodeFlags } from '../../../src/contract/localGateway.ts';
import { getPeerFile } from '../harness/peers.ts';
import { type Started, startNode } from '../harness/processes.ts';

/** A service that forwards requests to the upstream, or the upstream itself. */
export interface Contestant {
	readonly origin: string;
	readonly path: string;
	readonly headers: Record<string, string>;
	readonly pid: number;
}

const here = import.meta.dirname;
const gatewayFile = path.resolve(here, '../../../dist/gateway.js');
const apiKey = 'the-key-of-the-benchmark';
const stops: (() => Promise<unknown>)[] = [];
const shared = new Map<string, Promise<Contestant>>();

/** Returns the contestant with this name, which all measures share; starts it on first use. */
export function getContestant(name: 'upstream' | 'minimal' | 'gateway' | 'portkey'): Promise<Contestant> {
	let started = shared.get(name);
	if (!started) {
		started = starters[name]();
		shared.set(name, started);
	}
	return started;
}

/** Stops all processes started here. */
export async function closeContestants(): Promise<void> {
	await Promise.all(stops.splice(0).map(stop => stop()));
	shared.clear();
}

/**
 * Starts a gateway in a separate process with a separate data folder and Node's flags of the product; resolves when it listens.
 * @param openAiUrl replaces the shared upstream for OpenAI's protocol
 */
export async function startGateway(openAiUrl?: string): Promise<Contestant & { stop(): Promise<void> }> {
	const upstream = await getContestant('upstream');
	const folder = await mkdtemp(path.join(tmpdir(), 'bench-gateway-'));
	const saveDataFile = async (name: string, text: string) => {
		await writeFile(path.join(folder, name), text, { mode: 0o600 });
		return path.join(folder, name);
	};
	const config = {
		routes: [
			{ model: 'bench*', provider: 'anthropic', base_url: upstream.origin, key: 'UPSTREAM' },
			{ model: 'gpt-bench', provider: 'openai-compatible', base_url: openAiUrl ?? `${upstream.origin}/v1`, key: 'UPSTREAM' },
		],
	};
	const started = await startNode<{ base_url: string }>(
		[
			...gatewayNodeFlags,
			gatewayFile,
			...['--data', folder, '--port', '0', '--ready-json'],
			...['--api-key-file', await saveDataFile('api.key', apiKey)],
			...['--config', await saveDataFile('config.json', JSON.stringify(config))],
			...['--key-file', await saveDataFile('keys.json', '{"UPSTREAM":"a-key-for-the-upstream"}')],
		],
		{ stderr: 'ignore' },
	);
	const stopContestant = async () => {
		await started.stop();
		await rm(folder, { recursive: true, force: true });
	};
	return {
		origin: started.ready.base_url,
		path: '/v1/messages',
		headers: callerHeaders,
		pid: started.process.pid ?? 0,
		stop: stopContestant,
	};
}

/** Returns the shared gateway at one of OpenAI's endpoints. */
export async function getOpenAiGateway(endpoint: string): Promise<Contestant> {
	const gateway = await getContestant('gateway');
	return { ...gateway, path: `/v1/${endpoint}`, headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` } };
}

/** Starts a minimal passthrough in a separate process; resolves when it listens. */
export async function startMinimalPassthrough(): Promise<Contestant & { stop(): Promise<void> }> {
	const { origin } = await getContestant('upstream');
	const started = await startNode<{ port: number }>([path.join(here, 'minimal.ts'), new URL(origin).port]);
	return { ...createContestant(started), stop: started.stop };
}

const callerHeaders = { 'content-type': 'application/json', 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', 'user-agent': 'bench' };

const starters = {
	upstream: async (): Promise<Contestant> => {
		return registerContestant(await startNode<{ port: number }>([path.join(here, 'upstream.ts')]));
	},
	minimal: async (): Promise<Contestant> => {
		const minimal = await startMinimalPassthrough();
		stops.push(minimal.stop);
		return minimal;
	},
	gateway: async (): Promise<Contestant> => {
		const gateway = await startGateway();
		stops.push(gateway.stop);
		return gateway;
	},
	portkey: async (): Promise<Contestant> => {
		const upstream = await getContestant('upstream');
		const port = await findFreePort();
		const child = spawn(process.execPath, [getPeerFile('@portkey-ai/gateway/build/start-server.js'), `--port=${port}`, '--headless'], {
			stdio: 'ignore',
		});
		stops.push(async () => {
			if (child.exitCode === null) {
				const exited = once(child, 'exit');
				child.kill('SIGKILL');
				await exited;
			}
		});
		await waitForPort(port);
		return {
			origin: `http://127.0.0.1:${port}`,
			path: '/v1/chat/completions',
			headers: {
				'content-type': 'application/json',
				authorization: 'Bearer a-key-for-the-upstream',
				'x-portkey-provider': 'openai',
				'x-portkey-custom-host': `${upstream.origin}/v1`,
			},
			pid: child.pid ?? 0,
		};
	},
};

function registerContestant(started: Started<{ port: number }>): Contestant {
	stops.push(() => started.stop());
	return createContestant(started);
}

function createContestant({ ready, process }: Started<{ port: number }>): Contestant {
	return { origin: `http://127.0.0.1:${ready.port}`, path: '/v1/messages', headers: callerHeaders, pid: process.pid ?? 0 };
}

async function findFreePort(): Promise<number> {
	const server = net.createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

async function waitForPort(port: number): Promise<void> {
	for (let i = 0; i < 200; i++) {
		const socket = net.connect(port, '127.0.0.1');
		const connected = await new Promise<boolean>(resolve => {
			socket.once('connect', () => resolve(true));
			socket.once('error', () => resolve(false));
		});
		socket.destroy();
		if (connected) {
			return;
		}
		await new Promise(resolve => setTimeout(resolve, 50));
	}
	throw new Error(`Nothing listens on port ${port}`);
}
