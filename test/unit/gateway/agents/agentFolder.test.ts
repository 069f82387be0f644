import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { type AgentFile, AgentFolder } from '#gateway/agents/agentFolder.ts';
import { AgentTexts } from '#gateway/agents/agentTexts.ts';
import { Log } from '#gateway/process/log.ts';

describe('an agent folder', () => {
	let parent: string;
	let agents: string;
	let folder: AgentFolder;
	let changed = Promise.withResolvers<void>();

	beforeEach(async () => {
		parent = fs.mkdtempSync(path.join(os.tmpdir(), 'agent-folder-test-'));
		agents = path.join(parent, 'repository', 'agents');
		makeFolder(agents, 'first');
		const log = new Log('text', () => {});
		folder = new AgentFolder(agents, () => changed.resolve(), log);
		await folder.openFolder();
		assert.deepEqual([...folder.files.keys()], ['first']);
	});
	afterEach(() => {
		folder.close();
		fs.rmSync(parent, { recursive: true, force: true });
	});

	function makeFolder(where: string, ...names: readonly string[]): void {
		fs.mkdirSync(where, { recursive: true });
		for (const name of names) {
			fs.writeFileSync(path.join(where, `${name}.yml`), `name: ${name}`);
		}
	}

	async function waitUntilSettled(expected: readonly string[]): Promise<void> {
		while ([...folder.files.keys()].join() !== expected.join()) {
			await changed.promise;
			changed = Promise.withResolvers();
		}
	}

	it('serves no file outside the folder that a link points to', async () => {
		makeFolder(path.join(parent, 'repository'), 'outside');
		makeFolder(path.join(agents, 'below'), 'inside');
		fs.symlinkSync(path.join('..', 'outside.yml'), path.join(agents, 'a.yml'));
		fs.symlinkSync(path.join(parent, 'repository', 'outside.yml'), path.join(agents, 'b.yml'));
		fs.symlinkSync(path.join('below', 'inside.yml'), path.join(agents, 'c.yml'));
		fs.symlinkSync('first.yml', path.join(agents, 'd.yml'));
		fs.symlinkSync('missing.yml', path.join(agents, 'e.yml'));
		await folder.refreshFiles();
		assert.deepEqual(
			[...folder.files].map(([name, { text }]) => [name, text]),
			[
				['c', 'name: inside'],
				['d', 'name: first'],
				['first', 'name: first'],
			],
		);
	});

	it('refuses a file in another encoding than UTF-8, until it is saved as UTF-8', async () => {
		const file = path.join(agents, 'first.yml');
		const texts = new AgentTexts(async () => text => ({ text }) as unknown as LoadedAgent);
		await texts.waitUntilReady();
		const readFirst = async () => {
			await folder.refreshFiles();
			return texts.readDraft(folder.files.get('first') as AgentFile);
		};
		fs.writeFileSync(file, 'name: Gr\u00FC\u00DFe', 'latin1');
		assert.match(String(await readFirst()), /first\.yml: isn't UTF-8 text\. Save the file as UTF-8\.$/);
		fs.writeFileSync(file, 'name: Gr\uFFFD\uFFFDe');
		assert.deepEqual(await readFirst(), { text: 'name: Gr\uFFFD\uFFFDe' });
	});

	it("is served if it's a link itself", async () => {
		const link = path.join(parent, 'link');
		fs.symlinkSync(agents, link, 'junction');
		fs.symlinkSync('first.yml', path.join(agents, 'second.yml'));
		const linked = new AgentFolder(link, () => {}, new Log('text', () => {}));
		await linked.openFolder();
		linked.close();
		assert.deepEqual([...linked.files.keys()], ['first', 'second']);
	});

	it('lists a new file as soon as the system has reported it', async () => {
		const watcher = fs.watch(agents);
		const reported = once(watcher, 'change');
		makeFolder(agents, 'second');
		await reported;
		await new Promise(resolve => setImmediate(resolve));
		await folder.readReportedChanges();
		assert.deepEqual([...folder.files.keys()], ['first', 'second']);
		watcher.close();
	});

	it('is still served after it was deleted and immediately recreated, as by a branch switch', async () => {
		fs.rmSync(agents, { recursive: true });
		makeFolder(agents, 'second');
		await waitUntilSettled(['second']);
		makeFolder(agents, 'third');
		await waitUntilSettled(['second', 'third']);
	});

	it('is still served after it was missing for a while', async () => {
		fs.rmSync(agents, { recursive: true });
		await waitUntilSettled([]);
		makeFolder(agents, 'second');
		await waitUntilSettled(['second']);
		makeFolder(agents, 'third');
		await waitUntilSettled(['second', 'third']);
	});

	it('is still served after a parent folder was replaced by another one', async () => {
		fs.renameSync(path.join(parent, 'repository'), path.join(parent, 'moved'));
		makeFolder(agents, 'second');
		await waitUntilSettled(['second']);
		makeFolder(agents, 'third');
		makeFolder(path.join(parent, 'moved', 'agents'), 'elsewhere');
		await waitUntilSettled(['second', 'third']);
	});
});
