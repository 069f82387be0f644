import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type DifyDeployment, startDifyDeployment } from '../support/services/dify/difyDeployment.ts';
import { appText } from '../unit/dify/syncedApp.ts';
import { type CliEnd, killRunningClis, runCli, startCli } from './cliProcess.ts';

describe('the dify commands', () => {
	let folder: string;
	let fake: DifyDeployment;
	const said: CliEnd[] = [];

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-dify-'));
	});
	after(async () => {
		await killRunningClis();
		fs.rmSync(folder, { recursive: true, force: true });
	});
	afterEach(() => fake?.stop());

	async function runDifyCommand(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CliEnd> {
		const { DIFY_TOKEN: _t, DIFY_SERVER: _s, ...environment } = process.env;
		const env = { ...environment, NO_COLOR: '1', XDG_STATE_HOME: folder, LOCALAPPDATA: folder, ...more };
		const end = await runCli(['dify', ...args], { cwd: folder, env });
		said.push(end);
		return end;
	}

	it('pulls, compares, pushes and publishes an app, backs up overwritten files and prints no token', async () => {
		fake = await startDifyDeployment({ release: '1.18.0', rateLimit: 10_000 });
		const app = fake.addApp(appText);
		const { token } = fake.sessions.issueToken();
		const env = { DIFY_TOKEN: token, DIFY_SERVER: fake.origin };
		const file = path.join(folder, 'greeter.yml');

		const pull = await runDifyCommand(['pull', 'greeter.yml', '--app', app.id], env);
		assert.deepEqual([pull.code, pull.stdout, pull.stderr], [0, 'greeter.yml: pulled\n', '']);
		fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Hello', 'Good evening'));
		const diff = await runDifyCommand(['diff', '.', '--json'], env);
		assert.equal(diff.code, 1, diff.stderr);
		assert.equal((JSON.parse(diff.stdout) as { summary: string }).summary, '1 node differs');

		fake.editDraft(app, ({ graph }) => {
			Object.assign(graph.nodes[0]?.data ?? {}, { title: 'Begin' });
		});
		const refused = await runDifyCommand(['push', 'greeter.yml'], env);
		assert.equal(refused.code, 1, refused.stderr);
		assert.match(refused.stdout, /changed locally and in Dify; not pushed/);
		const push = await runDifyCommand(['push', 'greeter.yml', '--overwrite', '--backups', 'kept'], env);
		assert.equal(push.code, 0, push.stderr);
		const kept = /backup: (.*)$/m.exec(push.stdout)?.[1] ?? assert.fail(push.stdout);
		assert.match(fs.readFileSync(kept, 'utf8'), /title: Begin/);

		const publish = await runDifyCommand(['publish', 'greeter.yml', '--name', 'v2'], { ...env, DIFY_TOKEN: '', OTHER: token });
		assert.equal(publish.code, 2);
		const named = await runDifyCommand(['publish', 'greeter.yml', '--name', 'v2', '--token-env', 'OTHER'], {
			...env,
			DIFY_TOKEN: '',
			OTHER: token,
		});
		assert.equal(named.code, 0, named.stderr);
		assert.equal(app.versions.length, 1);
		const shown = said.map(({ stdout, stderr }) => stdout + stderr).join('');
		assert.ok([...fake.secrets].every(secret => !shown.includes(secret)));
		assert.deepEqual(fake.errors, []);
	});

	it("continues with the other files if one can't be pulled or pushed", async () => {
		fake = await startDifyDeployment({ release: '1.18.0', rateLimit: 10_000 });
		const env = { DIFY_TOKEN: fake.sessions.issueToken().token, DIFY_SERVER: fake.origin };
		fs.mkdirSync(path.join(folder, 'several'));
		const apps = ['One', 'Two', 'Three'].map(name => fake.addApp(appText.replace('name: Greeter', `name: ${name}`)));
		for (const { id, name } of apps) {
			assert.equal((await runDifyCommand(['pull', `several/${name}.yml`, '--app', id], env)).code, 0);
		}
		fake.apps.splice(fake.apps.indexOf(apps[0]!), 1);
		fs.writeFileSync(path.join(folder, 'several', 'Three.dify.json'), '<<<<<<< HEAD');
		fake.editDraft(apps[1]!, ({ graph }) => {
			Object.assign(graph.nodes[0]?.data ?? {}, { title: 'Begin' });
		});
		const pull = await runDifyCommand(['pull', 'several', '--json'], env);
		assert.equal(pull.code, 2, pull.stderr);
		const results = pull.stdout
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as { result: string; message: string });
		assert.deepEqual(results.map(({ result }) => result).sort(), ['failed', 'failed', 'pulled']);
		assert.match(fs.readFileSync(path.join(folder, 'several', 'Two.yml'), 'utf8'), /title: Begin/);
	});

	it('never sends the token to a host that only the sidecar names, and reports missing values in one sentence', async () => {
		fake = await startDifyDeployment({ release: '1.16.0' });
		fs.writeFileSync(path.join(folder, 'a.yml'), appText);
		const base = { content_hash: 'a'.repeat(64), dsl_version: '0.6.0' };
		const link = { origin: fake.origin, workspace_id: 'w', app_id: 'a', mode: 'workflow', base };
		fs.writeFileSync(path.join(folder, 'a.dify.json'), JSON.stringify(link));
		const token = { DIFY_TOKEN: 'dfoa_of-the-user' };
		const none = await runDifyCommand(['push', 'a.yml'], token);
		assert.deepEqual([none.code, fake.requests.length], [2, 0]);
		assert.match(none.stderr, /^Expected --origin URL, or the environment variable DIFY_SERVER .*\n$/);
		const elsewhere = await runDifyCommand(['push', 'a.yml', '--origin', 'http://127.0.0.1:1'], token);
		assert.deepEqual([elsewhere.code, fake.requests.length], [3, 0]);
		assert.doesNotMatch(elsewhere.stderr, /dfoa_/);
	});

	describe('dify login', () => {
		const getTokenFile = () => path.join(folder, 'config', 'agent-workbench', 'dify-tokens.json');
		const getHomeFolder = () => ({ XDG_CONFIG_HOME: path.join(folder, 'config'), APPDATA: path.join(folder, 'config') });
		/** Runs `dify login` and confirms its code like a person in a browser. */
		async function logIn(...args: string[]): Promise<CliEnd> {
			const { DIFY_TOKEN: _t, DIFY_SERVER: _s, ...environment } = process.env;
			const cli = startCli(['dify', 'login', '--origin', fake.origin, ...args], {
				cwd: folder,
				env: { ...environment, ...getHomeFolder() },
			});
			await cli.waitForOutput(/confirm this code there/);
			fake.sessions.approveLogin();
			return cli.ended;
		}
		beforeEach(async () => {
			fs.rmSync(path.join(folder, 'config'), { recursive: true, force: true });
			fake = await startDifyDeployment({ release: '1.18.0', rateLimit: 10_000, deviceInterval: 0 });
		});

		it('signs in by a code, lists apps, pulls one and signs out', async () => {
			const app = fake.addApp(appText);
			const { code, stdout, stderr } = await logIn();
			assert.deepEqual([code, stdout], [0, '']);
			assert.match(stderr, new RegExp(`^Open this page in a browser where you are signed in to Dify: ${fake.origin}/device$`, 'm'));
			assert.match(stderr, /^If you started this sign-in, confirm this code there: [A-Z0-9]{4}-[A-Z0-9]{4}$/m);
			assert.match(stderr, /Signed in to .* as ana@example\.com\. The token is valid until \d{4}-\d\d-\d\d\./);
			if (process.platform !== 'win32') {
				assert.equal(fs.statSync(getTokenFile()).mode & 0o777, 0o600);
			}
			const list = await runDifyCommand(['apps'], getHomeFolder());
			assert.deepEqual([list.code, list.stdout], [0, `${app.id}  workflow       Greeter\n`]);
			assert.equal((await runDifyCommand(['pull', 'signed.yml', '--app', app.id], getHomeFolder())).code, 0);
			assert.equal((await runDifyCommand(['logout'], getHomeFolder())).code, 0);
			assert.deepEqual(JSON.parse(fs.readFileSync(getTokenFile(), 'utf8')), {});
			const after = await runDifyCommand(['apps', '--origin', fake.origin], getHomeFolder());
			assert.equal(after.code, 2);
			assert.match(after.stderr, /^Expected a token for .*dify login --origin .*In CI, set the environment variable DIFY_TOKEN/);
			assert.equal(
				fake.sessions.tokens.every(({ revoked }) => revoked),
				true,
			);
			assert.ok([...fake.secrets].every(secret => !(stdout + stderr).includes(secret)));
		});

		it('prints the token for a CI job without storing it, and explains in the job how to renew an expired one', async () => {
			const { code, stdout, stderr } = await logIn('--print-token');
			assert.deepEqual([code, fs.existsSync(getTokenFile())], [0, false]);
			assert.ok(fake.secrets.has(stdout.trim()));
			assert.match(stderr, /The token isn't stored here\. The token is valid until/);
			assert.equal((await logIn()).code, 0);
			const job = { ...getHomeFolder(), DIFY_SERVER: fake.origin, DIFY_TOKEN: stdout.trim() };
			// the token must survive another sign-in of the same account on the same machine
			assert.equal((await runDifyCommand(['apps', '--json'], job)).code, 0);
			fake.advanceClock(15 * 86_400);
			const ended = await runDifyCommand(['apps'], job);
			assert.equal(ended.code, 2);
			assert.match(
				ended.stderr,
				/^Dify doesn't accept the token in DIFY_TOKEN anymore: it has expired .*login --origin .* --print-token" and update DIFY_TOKEN, .* secrets of your CI\.\n$/,
			);
		});

		it('sends a stored token only to its deployment and reads none from a file that others can read', async function () {
			if (process.platform === 'win32') {
				this.skip();
			}
			await logIn();
			const other = await startDifyDeployment({ release: '1.18.0' });
			try {
				const elsewhere = await runDifyCommand(['apps', '--origin', other.origin], getHomeFolder());
				assert.deepEqual([elsewhere.code, other.requests.length], [2, 0]);
			} finally {
				await other.stop();
			}
			const asked = fake.requests.length;
			const foreign = await runDifyCommand(['apps'], { ...getHomeFolder(), DIFY_TOKEN: 'dfoa_of-another-deployment' });
			assert.deepEqual([foreign.code, fake.requests.length], [2, asked]);
			assert.match(foreign.stderr, /^Expected --origin URL/);
			fs.chmodSync(getTokenFile(), 0o644);
			const open = await runDifyCommand(['apps'], getHomeFolder());
			assert.equal(open.code, 2);
			assert.match(open.stderr, /other users can read it\. Run chmod 600/);
		});

		it('refuses deployments without this sign-in and suggests an alternative', async () => {
			await fake.stop();
			fake = await startDifyDeployment({ release: '1.14.2' });
			const refused = await runDifyCommand(['login', '--origin', fake.origin], getHomeFolder());
			assert.equal(refused.code, 2);
			assert.match(refused.stderr, /Dify 1\.14\.2 .*added in 1\.15\)\. Set DIFY_TOKEN to its ADMIN_API_KEY/);
		});
	});
});
