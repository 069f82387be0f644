import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readAppFile, writeAppFile } from '#dify/files/appFile.ts';
import { FolderBackups } from '#dify/files/folderBackups.ts';
import { getAgentPaths, getLinkPath, readLink, serializeLink } from '#dify/files/linkFile.ts';
import type { DifyLink } from '#dify/linkTypes.ts';

const link: DifyLink = {
	origin: 'https://dify.test',
	workspace_id: 'space-1',
	app_id: 'app-1',
	mode: 'workflow',
	base: { draft_hash: 'abc', content_hash: 'a'.repeat(64), dsl_version: '0.6.0' },
};
const app = { origin: link.origin, appId: link.app_id };

describe('the sidecar file of an agent file', () => {
	it('is next to the agent file', () => {
		assert.equal(getLinkPath('/a/b.c.yml'), '/a/b.c.dify.json');
		assert.equal(getLinkPath('C:\\a\\b.YAML'), 'C:\\a\\b.dify.json');
	});

	it('is written in a fixed form, and can be read again', () => {
		const text = serializeLink(link);
		assert.equal(
			text,
			`{
  "origin": "https://dify.test",
  "workspace_id": "space-1",
  "app_id": "app-1",
  "mode": "workflow",
  "base": {
    "draft_hash": "abc",
    "content_hash": "${'a'.repeat(64)}",
    "dsl_version": "0.6.0"
  }
}
`,
		);
		assert.deepEqual(readLink(text, 'x').link, link);
	});

	it('keeps unknown fields', () => {
		const text = JSON.stringify({ note: 1, ...link, base: { ...link.base, more: [2] } });
		const { draft_hash: _, ...base } = link.base;
		const written = JSON.parse(serializeLink({ ...link, base }, readLink(text, 'x'))) as unknown;
		assert.deepEqual(written, { ...link, base: { ...base, more: [2] }, note: 1 });
	});

	const hostile: readonly (readonly [string, string, RegExp])[] = [
		['invalid JSON', '{', /^'a\.dify\.json' isn't a JSON object\. Expected 'origin'/],
		['merge conflict markers', `<<<<<<< HEAD\n${serializeLink(link)}`, /isn't a JSON object/],
		['a list', '[]', /isn't a JSON object/],
		['more text than allowed', `{"a":"${'x'.repeat(70_000)}"}`, /too large/],
		[
			'an address with a path',
			JSON.stringify({ ...link, origin: 'https://dify.test/evil' }),
			/'origin' in 'a\.dify\.json' is missing or invalid\. Expected only a scheme/,
		],
		['an address with a password', JSON.stringify({ ...link, origin: 'https://u:p@dify.test' }), /'origin'/],
		['another protocol', JSON.stringify({ ...link, origin: 'file:///etc/passwd' }), /'origin'/],
		[
			'an ID with a path',
			JSON.stringify({ ...link, app_id: '../../account' }),
			/'app_id' in 'a\.dify\.json' is missing or invalid\. Expected an ID/,
		],
		['an object for an ID', JSON.stringify({ ...link, workspace_id: { a: 1 } }), /'workspace_id'/],
		[
			'a missing base',
			JSON.stringify({ ...link, base: undefined }),
			/'base\.content_hash' in 'a\.dify\.json' is missing or invalid\. Expected 64 hexadecimal digits/,
		],
		['an invalid hash', JSON.stringify({ ...link, base: { ...link.base, content_hash: 'A'.repeat(64) } }), /'base\.content_hash'/],
		['a header in a hash', JSON.stringify({ ...link, base: { ...link.base, draft_hash: 'a\r\nX: y' } }), /'base\.draft_hash'/],
		['an invalid mode', JSON.stringify({ ...link, mode: 'a b' }), /'mode'/],
	];
	for (const [what, text, sentence] of hostile) {
		it(`is refused with a message: ${what}`, () => {
			assert.throws(() => readLink(text, 'a.dify.json'), { name: 'SyncFault', code: 'unreadable', message: sentence });
		});
	}
});

describe('files of the round trip', () => {
	let folder: string;
	let file: string;
	let backups: FolderBackups;
	const listNames = () => fs.readdirSync(folder).toSorted();

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dify-sync-'));
		file = path.join(folder, 'a.yml');
		backups = new FolderBackups(path.join(folder, 'kept'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
	const writeAgentFile = (expected: string | undefined, text: string | undefined) =>
		writeAppFile({ file, root: folder, expected, text, link, name: 'A', backups });

	it('are written completely with their sidecar, and leave no other files', async () => {
		assert.equal(await writeAgentFile(undefined, 'new'), undefined);
		assert.deepEqual(listNames(), ['a.dify.json', 'a.yml']);
		assert.deepEqual(await readAppFile(file).then(({ text, link: read }) => [text, read?.link]), ['new', link]);
	});

	it('are backed up before they are overwritten, and can be restored', async () => {
		fs.writeFileSync(file, 'mine');
		fs.chmodSync(file, 0o640);
		const backup = await writeAgentFile('mine', 'theirs');
		assert.equal(fs.readFileSync(file, 'utf8'), 'theirs');
		if (process.platform !== 'win32') {
			assert.equal(fs.statSync(file).mode & 0o777, 0o640);
			assert.equal(fs.statSync(backup?.file ?? '').mode & 0o777, 0o600);
		}
		const [listed] = await backups.listBackups(app);
		assert.deepEqual([listed?.side, listed?.name, listed?.file], ['here', 'A', backup?.file]);
		assert.equal(await backups.readBackup(listed ?? assert.fail()), 'mine');
	});

	it('are not overwritten if they changed since they were read, nor is their sidecar', async () => {
		fs.writeFileSync(file, 'changed');
		await assert.rejects(writeAgentFile('mine', 'theirs'), { code: 'changed-here' });
		await assert.rejects(writeAgentFile(undefined, 'theirs'), { code: 'changed-here' });
		assert.deepEqual([fs.readFileSync(file, 'utf8'), listNames()], ['changed', ['a.yml']]);
	});

	it('are not created again if they were deleted after the plan', async () => {
		await assert.rejects(writeAgentFile('mine', 'theirs'), { code: 'changed-here' });
		assert.deepEqual(listNames(), []);
	});

	it('stay unchanged if only the link is new, and an unreadable sidecar is replaced', async () => {
		fs.writeFileSync(file, 'mine');
		fs.writeFileSync(getLinkPath(file), '<<<<<<<');
		await assert.rejects(readAppFile(file), { code: 'unreadable' });
		await writeAgentFile('mine', undefined);
		assert.deepEqual(await readAppFile(file).then(({ text, link: read }) => [text, read?.link]), ['mine', link]);
		assert.deepEqual(listNames(), ['a.dify.json', 'a.yml']);
	});

	it('have separate sidecars for NAME.yml and NAME.yaml, and an existing sidecar keeps its name', async () => {
		const yaml = path.join(folder, 'a.yaml');
		const other = { ...link, app_id: 'app-2' };
		const writeYaml = (to: DifyLink) =>
			writeAppFile({ file: yaml, root: folder, expected: undefined, text: 'other', link: to, name: 'B', backups });
		await writeYaml(other);
		assert.deepEqual(listNames(), ['a.dify.json', 'a.yaml']);
		assert.equal((await readAppFile(yaml)).link?.link.app_id, 'app-2');
		fs.rmSync(yaml);
		fs.rmSync(getLinkPath(yaml));

		await writeAgentFile(undefined, 'new');
		assert.equal((await readAppFile(yaml)).link, undefined);
		await writeYaml(other);
		assert.deepEqual(listNames(), ['a.dify.json', 'a.yaml', 'a.yaml.dify.json', 'a.yml']);
		assert.equal((await readAppFile(file)).link?.link.app_id, 'app-1');
		fs.rmSync(file);
		assert.equal((await readAppFile(yaml)).link?.link.app_id, 'app-2');
		assert.deepEqual(getAgentPaths('/b/a.yaml.dify.json'), ['/b/a.yaml']);
		assert.deepEqual(getAgentPaths('/b/a.dify.json'), ['/b/a.yml', '/b/a.yaml']);
	});

	it("are neither read nor overwritten if they aren't UTF-8, because their backup would be another text", async () => {
		fs.writeFileSync(file, Buffer.from('Grüße', 'latin1'));
		await assert.rejects(readAppFile(file), { name: 'SyncFault', code: 'unreadable', message: /a\.yml' isn't UTF-8 text\./ });
		await assert.rejects(writeAgentFile('Gr\ufffd\ufffde', 'theirs'), { code: 'unreadable' });
		assert.deepEqual([fs.readFileSync(file, 'latin1'), listNames()], ['Grüße', ['a.yml']]);
	});

	it('are not overwritten if the backup fails', async () => {
		fs.writeFileSync(file, 'mine');
		// with a file in place of the backup folder, nothing can be written, as on a full disk
		fs.writeFileSync(path.join(folder, 'kept'), '');
		await assert.rejects(writeAgentFile('mine', 'theirs'), {
			code: 'disk',
			message: /Couldn't save a backup in .*Nothing was overwritten\.$/,
		});
		assert.deepEqual([fs.readFileSync(file, 'utf8'), listNames()], ['mine', ['a.yml', 'kept']]);
	});

	for (const before of ['mine', undefined]) {
		it(`${before === undefined ? "aren't created" : 'stay unchanged'} if their sidecar can't be written, because both belong together`, async () => {
			// the name of the sidecar is longer, so that the name of its temporary file is too long
			file = path.join(folder, `${'a'.repeat(207)}.yml`);
			if (before !== undefined) {
				fs.writeFileSync(file, before);
			}
			await assert.rejects(writeAgentFile(before, 'theirs'), { code: 'disk', message: /Couldn't write '.*a\.dify\.json'/ });
			assert.equal(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined, before);
		});
	}

	it('stay links if they are links', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		fs.writeFileSync(path.join(folder, 'real'), 'mine');
		fs.symlinkSync('real', file);
		await writeAgentFile('mine', 'theirs');
		assert.ok(fs.lstatSync(file).isSymbolicLink());
		assert.equal(fs.readFileSync(path.join(folder, 'real'), 'utf8'), 'theirs');
	});

	for (const [what, name, expected] of [
		['they are', 'a.yml', 'mine'],
		['their sidecar is', 'a.dify.json', undefined],
	] as const) {
		it(`aren't written if ${what} a link out of the root`, async function () {
			if (process.platform === 'win32') {
				this.skip();
			}
			const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'dify-sync-'));
			try {
				const target = path.join(outside, 'target');
				fs.writeFileSync(target, 'mine');
				fs.symlinkSync(target, path.join(folder, name));
				await assert.rejects(writeAgentFile(expected, 'theirs'), { code: 'disk', message: /: a link in its path leads outside '/ });
				fs.rmSync(target);
				await assert.rejects(writeAgentFile(undefined, 'theirs'), { code: 'disk', message: /: a link in its path leads outside '/ });
				assert.deepEqual([fs.readdirSync(outside), listNames()], [[], [name]]);
			} finally {
				fs.rmSync(outside, { recursive: true });
			}
		});
	}
});

describe('backups', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dify-sync-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

	it('are listed per app with the newest first, and limited to fifty', async () => {
		const backups = new FolderBackups(folder);
		const kept = [];
		for (let at = 0; at < 53; at++) {
			kept.push(await backups.saveBackup({ ...app, name: 'A', side: 'there', text: `text ${at}` }));
		}
		await backups.saveBackup({ ...app, appId: 'app-2', name: 'B', side: 'there', text: 'other' });
		const listed = await new FolderBackups(folder).listBackups(app);
		assert.equal(listed.length, 50);
		const last = kept.at(-1) ?? assert.fail();
		assert.equal(await backups.readBackup(last), 'text 52');
		assert.ok(listed.every(({ at }, index) => at <= (listed[index - 1]?.at ?? Infinity)));
	});

	it('are not deleted if older ones were saved with the clock ahead', async () => {
		const backups = new FolderBackups(folder);
		const { file } = await backups.saveBackup({ ...app, name: 'A', side: 'there', text: 'first' });
		for (let at = 0; at < 50; at++) {
			fs.writeFileSync(path.join(path.dirname(file), `9000000000${String(at).padStart(3, '0')}-there-0000000a.yml`), 'ahead');
		}
		const kept = await backups.saveBackup({ ...app, name: 'A', side: 'there', text: 'now' });
		assert.equal(await backups.readBackup(kept), 'now');
		assert.equal((await backups.listBackups(app)).length, 50);
	});

	it('are read only from their folder', async () => {
		fs.writeFileSync(path.join(folder, 'x.yml'), 'elsewhere');
		await assert.rejects(new FolderBackups(folder).readBackup({ ...app, id: '../x.yml' }), { code: 'disk' });
	});

	it('are an empty list if nothing was saved yet', async () => {
		assert.deepEqual(await new FolderBackups(path.join(folder, 'none')).listBackups(app), []);
	});
});
