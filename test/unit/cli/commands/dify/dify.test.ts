import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GivenArguments } from '#cli/arguments/givenArguments.ts';
import { commands } from '#cli/arguments/options.ts';
import { resolveAgentFiles } from '#cli/commands/dify/agentFileArguments.ts';
import { diffFiles } from '#cli/commands/dify/diffFiles.ts';
import type { DifyWork } from '#cli/commands/dify/difyWork.ts';
import { publishFile } from '#cli/commands/dify/publishFile.ts';
import { pullFiles } from '#cli/commands/dify/pullFiles.ts';
import { pushFiles } from '#cli/commands/dify/pushFiles.ts';
import { FolderBackups } from '#dify/files/folderBackups.ts';
import { HeldDeployment } from '../../../dify/heldDeployment.ts';
import { appText } from '../../../dify/syncedApp.ts';

const acts = { pull: pullFiles, push: pushFiles, diff: diffFiles, publish: publishFile };

describe('agent-workbench dify', () => {
	let folder: string;
	let file: string;
	let there: HeldDeployment;
	const readAgentFile = () => fs.readFileSync(file, 'utf8');
	const editAgentFile = (change: (text: string) => string) => fs.writeFileSync(file, change(readAgentFile()));
	const listBackups = () => {
		const names = fs.readdirSync(path.join(folder, 'kept'), { recursive: true, encoding: 'utf8' });
		return names.filter(name => name.endsWith('.yml')).map(name => fs.readFileSync(path.join(folder, 'kept', name), 'utf8'));
	};

	/** Runs a command, and returns its exit code and output. */
	async function runCommand(name: keyof typeof acts, ...args: string[]): Promise<{ code: number; out: string }> {
		const spec = commands.find(each => each.name === `dify ${name}`) ?? assert.fail();
		const given = new GivenArguments(spec, [file, ...args]);
		let out = '';
		const work: DifyWork = {
			given,
			files: resolveAgentFiles(`dify ${name}`, given),
			open: async () => there.asked,
			backups: new FolderBackups(path.join(folder, 'kept')),
			signal: new AbortController().signal,
			write: async text => {
				out += text;
			},
		};
		return { code: await acts[name](work), out };
	}

	beforeEach(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-dify-'));
		file = path.join(folder, 'greeter.yml');
		there = new HeldDeployment();
		there.putApp('app-1', appText);
		there.apps.get('app-1')?.secrets.set('e1', 'sk-there');
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

	const pullApp = () => runCommand('pull', '--app', 'app-1');

	it('pulls an app into a new file with a sidecar, and later only if the app has changed', async () => {
		const first = await pullApp();
		assert.deepEqual([first.code, readAgentFile()], [0, there.getText('app-1')]);
		assert.match(first.out, /greeter\.yml: pulled\n$/);
		assert.equal((JSON.parse(fs.readFileSync(path.join(folder, 'greeter.dify.json'), 'utf8')) as { app_id: string }).app_id, 'app-1');
		assert.match((await runCommand('pull')).out, /no differences/);
		there.editApp('app-1', text => text.replace('Hello', 'Goodbye'));
		const newer = await runCommand('pull');
		assert.match(newer.out, /pulled\n {2}~ node 'Greeting \(t\)' \(template-transform\): template\n {2}backup: /);
		assert.equal(readAgentFile(), there.getText('app-1'));
	});

	it('overwrites local changes only with an option, and backs them up', async () => {
		await pullApp();
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		const mine = readAgentFile();
		assert.deepEqual([(await runCommand('pull')).code, readAgentFile()], [0, mine]);
		there.editApp('app-1', text => text.replace('Hello', 'Goodbye'));
		const refused = await runCommand('pull');
		assert.deepEqual([refused.code, readAgentFile(), fs.existsSync(path.join(folder, 'kept'))], [1, mine, false]);
		assert.match(
			refused.out,
			/not overwritten: changed locally and in Dify; use --overwrite to discard the local changes\n {2}~ node 'Greeting/,
		);
		assert.equal((await runCommand('pull', '--overwrite')).code, 0);
		assert.deepEqual([readAgentFile(), listBackups()], [there.getText('app-1'), [mine]]);
	});

	it('resets moved nodes only with an option', async () => {
		await pullApp();
		editAgentFile(text => text.replace('x: 300', 'x: 310'));
		const mine = readAgentFile();
		assert.deepEqual([(await runCommand('pull')).code, readAgentFile()], [0, mine]);
		there.editApp('app-1', text => text.replace('x: 300', 'x: 333'));
		const refused = await runCommand('pull');
		assert.deepEqual([refused.code, readAgentFile()], [1, mine]);
		assert.match(refused.out, /not overwritten: nodes were moved locally; use --overwrite to discard this\n {2}~ layout/);
		assert.equal((await runCommand('pull', '--overwrite')).code, 0);
		assert.deepEqual([readAgentFile(), listBackups()], [there.getText('app-1'), [mine]]);
	});

	it('pushes a file, prints the changes, and backs up the app', async () => {
		await pullApp();
		const before = there.getText('app-1');
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		const { code, out } = await runCommand('push');
		assert.equal(code, 0);
		assert.match(
			out,
			/pushed\n {2}~ node 'Greeting \(t\)' \(template-transform\): template\n {2}! The workspace is missing plugins: .*\n {2}backup: /,
		);
		assert.match(there.getText('app-1'), /Good evening/);
		assert.deepEqual(listBackups(), [before]);
		assert.equal(there.apps.get('app-1')?.secrets.get('e1'), 'sk-there');
		assert.match((await runCommand('push')).out, /no differences/);
		assert.equal((await runCommand('diff')).code, 0);
	});

	it('overwrites changes in Dify only with an option', async () => {
		await pullApp();
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		there.editApp('app-1', text => text.replace('Hello', 'Goodbye'));
		const { code, out } = await runCommand('push');
		assert.deepEqual([code, there.sent], [1, []]);
		assert.match(out, /changed locally and in Dify; not pushed. Use --overwrite to apply these changes in Dify:\n {2}~ node 'Greeting/);
		assert.equal((await runCommand('push', '--overwrite')).code, 0);
		assert.match(there.getText('app-1'), /Good evening/);
		assert.match(listBackups().join(), /Goodbye/);
	});

	it('prints the difference between file and app, also as JSON, and changes nothing', async () => {
		await pullApp();
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		const { code, out } = await runCommand('diff', '--json');
		const result = JSON.parse(out) as { result: string; summary: string; difference: { nodes: { id: string }[] } };
		assert.deepEqual([code, result.result, result.summary], [1, 'changed-here', '1 node differs']);
		assert.deepEqual(
			result.difference.nodes.map(({ id }) => id),
			['t'],
		);
		editAgentFile(text => text.replace('Good evening', 'Hello').replace('x: 300', 'x: 1'));
		const layout = await runCommand('diff');
		assert.deepEqual([layout.code, /layout\n/.test(layout.out), there.sent], [0, true, []]);
	});

	it('confirms a pending push only with an option', async () => {
		await pullApp();
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		there.pends = true;
		const left = await runCommand('push');
		assert.equal(left.code, 1);
		assert.match(left.out, /not pushed: the file uses format version 9\.0\.0, Dify uses 0\.6\.0\. Use --confirm to push anyway/);
		there.pends = true;
		assert.equal((await runCommand('push', '--confirm')).code, 0);
		assert.match(there.getText('app-1'), /Good evening/);
	});

	it("exits with 3 if a response is lost and the push didn't arrive, and doesn't send it again", async () => {
		await pullApp();
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		there.fails = { name: 'importApp', when: 'before', reason: 'network' };
		const { code, out } = await runCommand('push');
		assert.deepEqual([code, there.sent.length], [3, 0]);
		assert.match(out, /The response was lost/);
	});

	it('links a pushed file that was edited meanwhile, and keeps the edit', async () => {
		await pullApp();
		editAgentFile(text => text.replace('Hello', 'Good evening').replace('title: Greeting', 'title: Greeting\n        credential_id: c1'));
		there.before = { name: 'dependencies', act: () => editAgentFile(text => text.replace('Good evening', 'Good night')) };
		const { code, out } = await runCommand('push');
		assert.equal(code, 0);
		assert.match(out, /edited in the meantime and wasn't updated/);
		assert.match(readAgentFile(), /Good night/);
		assert.match((await runCommand('diff')).out, /changed locally; a push would change in Dify/);
	});

	it('publishes the draft if it matches the file', async () => {
		await pullApp();
		assert.equal((await runCommand('publish', '--name', 'one', '--comment', 'the first')).code, 0);
		editAgentFile(text => text.replace('Hello', 'Good evening'));
		const refused = await runCommand('publish');
		assert.equal(refused.code, 1);
		assert.match(refused.out, /not published: the draft doesn't match the file; push first/);
		assert.equal((await runCommand('publish', '--draft')).code, 0);
		assert.deepEqual(
			there.apps.get('app-1')?.versions.map(({ version: { name } }) => name),
			['one', ''],
		);
	});

	it('refuses invalid commands with one message', async () => {
		await assert.rejects(runCommand('push'), { name: 'CliFault', message: /greeter\.yml: expected an agent file/ });
		await assert.rejects(runCommand('pull'), { name: 'CliFault' });
		fs.writeFileSync(file, appText);
		await assert.rejects(runCommand('push'), { name: 'CliFault', message: /not linked to a Dify app\. Expected .*greeter\.dify\.json/ });
		fs.writeFileSync(path.join(folder, 'greeter.dify.json'), '{"origin": "https://evil.test"}');
		await assert.rejects(runCommand('push'), {
			name: 'SyncFault',
			message: /'workspace_id' in '.*greeter\.dify\.json' is missing or invalid/,
		});
		fs.rmSync(path.join(folder, 'greeter.dify.json'));
		await pullApp();
		const sidecar = path.join(folder, 'greeter.dify.json');
		fs.writeFileSync(sidecar, fs.readFileSync(sidecar, 'utf8').replace('https://dify.test', 'https://evil.test'));
		for (const name of ['push', 'diff', 'publish'] as const) {
			await assert.rejects(runCommand(name), { name: 'SyncFault', code: 'elsewhere' });
		}
		await assert.rejects(runCommand('pull'), {
			name: 'CliFault',
			message: /belongs to an app at https:\/\/evil\.test, but the token is for/,
		});
		assert.deepEqual(there.sent, []);
	});

	it('processes all files with sidecars in a given folder', async () => {
		await pullApp();
		fs.writeFileSync(path.join(folder, 'other.yml'), appText);
		const spec = commands.find(({ name }) => name === 'dify diff') ?? assert.fail();
		const resolveFiles = (...args: string[]) => resolveAgentFiles('dify diff', new GivenArguments(spec, args));
		assert.deepEqual(resolveFiles(folder), [file]);
		assert.deepEqual(
			resolveFiles(path.join(folder, '*.yml')).map(each => path.basename(each)),
			['greeter.yml', 'other.yml'],
		);
		assert.throws(() => resolveFiles(path.join(folder, 'none')), { name: 'CliFault' });
	});
});
