import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type DifyDeployment, startDifyDeployment } from '../support/services/dify/difyDeployment.ts';
import { appText } from '../unit/difySync/syncedApp.ts';
import { type CliEnd, endClis, runCli } from './cliProcess.ts';

describe('the command line on apps of Dify', () => {
	let folder: string;
	let fake: DifyDeployment;
	const said: CliEnd[] = [];

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-dify-'));
	});
	after(async () => {
		await endClis();
		fs.rmSync(folder, { recursive: true, force: true });
	});
	afterEach(() => fake?.stop());

	async function run(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CliEnd> {
		const { DIFY_TOKEN: _t, DIFY_SERVER: _s, ...environment } = process.env;
		const env = { ...environment, NO_COLOR: '1', XDG_STATE_HOME: folder, LOCALAPPDATA: folder, ...more };
		const end = await runCli(['dify', ...args], { cwd: folder, env });
		said.push(end);
		return end;
	}

	it('pulls, tells apart, pushes and publishes, keeps what it overwrites, and shows no token', async () => {
		fake = await startDifyDeployment({ release: '1.18.0', rateLimit: 10_000 });
		const app = fake.addApp(appText);
		const { token } = fake.sessions.mint();
		const env = { DIFY_TOKEN: token, DIFY_SERVER: fake.origin };
		const file = path.join(folder, 'greeter.yml');

		const pull = await run(['pull', 'greeter.yml', '--app', app.id], env);
		assert.deepEqual([pull.code, pull.stdout, pull.stderr], [0, 'greeter.yml: pulled\n', '']);
		fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Hello', 'Good evening'));
		const diff = await run(['diff', '.', '--json'], env);
		assert.equal(diff.code, 1, diff.stderr);
		assert.equal((JSON.parse(diff.stdout) as { summary: string }).summary, '1 node differs');

		fake.edit(app, ({ graph }) => {
			Object.assign(graph.nodes[0]?.data ?? {}, { title: 'Begin' });
		});
		const refused = await run(['push', 'greeter.yml'], env);
		assert.equal(refused.code, 1, refused.stderr);
		assert.match(refused.stdout, /changed here and there, not pushed/);
		const push = await run(['push', 'greeter.yml', '--overwrite', '--backups', 'kept'], env);
		assert.equal(push.code, 0, push.stderr);
		const kept = /kept: (.*)$/m.exec(push.stdout)?.[1] ?? assert.fail(push.stdout);
		assert.match(fs.readFileSync(kept, 'utf8'), /title: Begin/);

		const publish = await run(['publish', 'greeter.yml', '--name', 'v2'], { ...env, DIFY_TOKEN: '', OTHER: token });
		assert.equal(publish.code, 2);
		const named = await run(['publish', 'greeter.yml', '--name', 'v2', '--token-env', 'OTHER'], { ...env, DIFY_TOKEN: '', OTHER: token });
		assert.equal(named.code, 0, named.stderr);
		assert.equal(app.versions.length, 1);
		const shown = said.map(({ stdout, stderr }) => stdout + stderr).join('');
		assert.ok([...fake.secrets].every(secret => !shown.includes(secret)));
		assert.deepEqual(fake.errors, []);
	});

	it('goes on with the other files where one cannot be pulled or pushed', async () => {
		fake = await startDifyDeployment({ release: '1.18.0', rateLimit: 10_000 });
		const env = { DIFY_TOKEN: fake.sessions.mint().token, DIFY_SERVER: fake.origin };
		fs.mkdirSync(path.join(folder, 'several'));
		const apps = ['One', 'Two', 'Three'].map(name => fake.addApp(appText.replace('name: Greeter', `name: ${name}`)));
		for (const { id, name } of apps) {
			assert.equal((await run(['pull', `several/${name}.yml`, '--app', id], env)).code, 0);
		}
		fake.apps.splice(fake.apps.indexOf(apps[0]!), 1);
		fs.writeFileSync(path.join(folder, 'several', 'Three.dify.json'), '<<<<<<< HEAD');
		fake.edit(apps[1]!, ({ graph }) => {
			Object.assign(graph.nodes[0]?.data ?? {}, { title: 'Begin' });
		});
		const pull = await run(['pull', 'several', '--json'], env);
		assert.equal(pull.code, 2, pull.stderr);
		const results = pull.stdout
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as { result: string; message: string });
		assert.deepEqual(results.map(({ result }) => result).sort(), ['failed', 'failed', 'pulled']);
		assert.match(fs.readFileSync(path.join(folder, 'several', 'Two.yml'), 'utf8'), /title: Begin/);
	});

	it('sends the token nowhere that the sidecar alone names, and says in one sentence what is missing', async () => {
		fake = await startDifyDeployment({ release: '1.16.0' });
		fs.writeFileSync(path.join(folder, 'a.yml'), appText);
		const base = { content_hash: 'a'.repeat(64), dsl_version: '0.6.0' };
		const link = { origin: fake.origin, workspace_id: 'w', app_id: 'a', mode: 'workflow', base };
		fs.writeFileSync(path.join(folder, 'a.dify.json'), JSON.stringify(link));
		const token = { DIFY_TOKEN: 'dfoa_of-the-user' };
		const none = await run(['push', 'a.yml'], token);
		assert.deepEqual([none.code, fake.requests.length], [2, 0]);
		assert.match(none.stderr, /^Expected --origin URL, or the environment variable DIFY_SERVER: .*\n$/);
		const elsewhere = await run(['push', 'a.yml', '--origin', 'http://127.0.0.1:1'], token);
		assert.deepEqual([elsewhere.code, fake.requests.length], [3, 0]);
		assert.doesNotMatch(elsewhere.stderr, /dfoa_/);
	});
});
