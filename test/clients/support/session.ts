import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTextGateway, type TextGateway } from '../../contract/textGateway.ts';
import { FakeServices, protocols } from './fakeServices.ts';
import { installClients } from './install.ts';

/** The gateway before faked services, and a home for the client. */
export interface Session {
	readonly services: FakeServices;
	readonly gateway: TextGateway;
	/** A folder of the client's own, as its home and its workspace. */
	readonly home: string;
}

/** Model names, one a route: `model` itself for each protocol, with its name behind, as in `claude-via-google`. `refusals`: how many requests
 * the gateway may refuse in all. `native`: a route more, as in `gpt-native`, to a service that has OpenAI's /responses itself. */
export function useSession(prefix: string, refusals = 0, native = false): () => Session {
	let session: Session | undefined;
	before(async function () {
		await installClients(this);
		const services = await new FakeServices().start();
		const base = services.upstream.baseUrl;
		const gateway = await startTextGateway([
			...(native ? [{ model: `${prefix}-native`, provider: 'openai-compatible' as const, base_url: `${base}/v1`, responses: true }] : []),
			...protocols.map(provider => ({
				model: `${prefix}-via-${provider}`,
				provider,
				base_url: provider === 'openai-compatible' ? `${base}/v1` : base,
				...(provider === 'anthropic' && { upstream_model: 'claude-sonnet-4-5' }),
				...(provider === 'google' && { upstream_model: 'gemini-2.5-flash' }),
			})),
		]);
		session = { services, gateway, home: fs.mkdtempSync(path.join(os.tmpdir(), 'agent-workbench-client-')) };
	});
	beforeEach(() => {
		if (session) {
			session.services.asked.length = 0;
		}
	});
	afterEach(() => {
		const refused = session?.gateway.log().match(/.*"status":[45]\d\d.*/g) ?? [];
		if (refused.length > refusals) {
			throw new Error(`The gateway refused requests of the client:\n${refused.join('\n')}`);
		}
	});
	after(async () => {
		await session?.gateway.close();
		await session?.services.upstream.close();
		if (session) {
			fs.rmSync(session.home, { recursive: true, force: true });
		}
	});
	return () => {
		if (!session) {
			throw new Error('The session has not begun');
		}
		return session;
	};
}

/** Runs a client's program to its end, in its home, with nothing of this machine's own settings and no way to the network but the gateway. */
export function runClient(file: string, args: readonly string[], home: string, env: Readonly<Record<string, string>>): Promise<string> {
	const nowhere = 'http://127.0.0.1:9';
	const isolated = {
		PATH: process.env['PATH'] ?? '',
		HOME: home,
		USERPROFILE: home,
		TMPDIR: home,
		HTTPS_PROXY: nowhere,
		NO_PROXY: '127.0.0.1,localhost',
		...env,
	};
	return new Promise((resolve, reject) => {
		const child = execFile(
			process.execPath,
			[file, ...args],
			{ cwd: home, env: isolated, timeout: 100_000, maxBuffer: 1 << 24 },
			(error, stdout, stderr) => (error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout)),
		);
		child.stdin?.end();
	});
}
