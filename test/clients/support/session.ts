import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTextGateway, type TextGateway } from '../../contract/textGateway.ts';
import { FakeServices, protocols } from './fakeServices.ts';
import { installClients } from './install.ts';

/** The gateway in front of faked services, and a home folder for the client. */
export interface Session {
	readonly services: FakeServices;
	readonly gateway: TextGateway;
	/** The client's home and workspace folder. */
	readonly home: string;
}

/**
 * Starts services and a gateway for the tests of the calling describe(), with a route for each protocol: `PREFIX-via-PROTOCOL`, such as
 * `claude-via-google`.
 * @param refusals number of requests that the gateway may refuse in total
 * @param native adds the route `PREFIX-native` to a service with OpenAI's /responses
 */
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
		const refused = session?.gateway.getLog().match(/.*"status":[45]\d\d.*/g) ?? [];
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

/**
 * Runs a client program until it exits, with `home` as its working folder and home. It has no settings of this machine, and can reach only
 * the gateway.
 */
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
