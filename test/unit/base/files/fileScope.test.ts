import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInsideFolder, isOutsideScope, resolveInside, resolveInsideToWrite } from '#base/files/fileScope.ts';
import { findFilesInScope } from '#base/files/findInside.ts';
import { matchesSegment } from '#base/files/globPattern.ts';

describe('the scope of paths in workspace files', () => {
	let outside: string;
	let root: string;
	let folder: string;
	const findNames = (pattern: string, limit?: number) =>
		findFilesInScope(pattern, { folder, root }, limit === undefined ? {} : { limit }).then(files =>
			files.map(file => path.relative(root, file)),
		);

	before(() => {
		outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-scope-')));
		root = path.join(outside, 'work');
		folder = path.join(root, 'suites');
		for (const each of [folder, path.join(root, 'runs', 'deep', 'er'), path.join(outside, 'other'), path.join(root, '..runs')]) {
			fs.mkdirSync(each, { recursive: true });
		}
		for (const each of ['work/runs/a.json', 'work/runs/deep/b.json', 'work/runs/deep/er/c.json', 'other/d.json', 'work/..runs/e.json']) {
			fs.writeFileSync(path.join(outside, each), '{}');
		}
		fs.symlinkSync(path.join(outside, 'other'), path.join(root, 'out'));
		fs.symlinkSync(path.join(outside, 'other', 'd.json'), path.join(root, 'runs', 'out.json'));
		fs.symlinkSync(path.join(root, 'runs', 'deep'), path.join(root, 'in'));
		fs.symlinkSync(root, path.join(root, 'runs', 'loop'));
	});
	after(() => fs.rmSync(outside, { recursive: true, force: true }));

	it('resolves files inside, including names that start with two dots and absolute paths', () => {
		const a = path.join(root, 'runs', 'a.json');
		assert.equal(resolveInside('../runs/a.json', { folder, root }), a);
		assert.equal(resolveInside(a, { folder, root }), a);
		assert.equal(resolveInside('../..runs/e.json', { folder, root }), path.join(root, '..runs', 'e.json'));
		assert.equal(resolveInside('..runs/e.json', { folder: root, root }), path.join(root, '..runs', 'e.json'));
		assert.equal(resolveInside('../in/b.json', { folder, root }), path.join(root, 'runs', 'deep', 'b.json'));
	});

	for (const reference of [
		'../../other/d.json',
		'../out/d.json',
		'../runs/out.json',
		'/etc/passwd',
		'C:\\x',
		'c:/x',
		'\\\\server\\share',
		'//server/share',
	]) {
		it(`refuses ${reference}`, () =>
			assert.throws(() => resolveInside(reference, { folder, root }), { name: 'OutsideScope', reason: 'outside-scope' }));
	}

	it('resolves files to write that may not exist yet, and refuses links out of the root', () => {
		const scope = { folder, root };
		assert.equal(resolveInsideToWrite('../runs/a.json', scope), path.join(root, 'runs', 'a.json'));
		assert.equal(resolveInsideToWrite('../in/new/x.json', scope), path.join(root, 'runs', 'deep', 'new', 'x.json'));
		fs.symlinkSync(path.join(outside, 'other', 'none.json'), path.join(folder, 'dangling.json'));
		fs.symlinkSync(path.join(outside, 'none'), path.join(folder, 'nowhere'));
		for (const reference of [
			'../runs/out.json',
			'../out/new.json',
			'../out/new/x.json',
			'dangling.json',
			'nowhere/x.json',
			'../../new.json',
			'a/../../../x.json',
		]) {
			assert.throws(() => resolveInsideToWrite(reference, scope), { name: 'OutsideScope' }, reference);
		}
	});

	it('refuses other drives, shares and device paths on Windows', () => {
		const scope = { folder: 'C:\\work\\suites', root: 'C:\\work' };
		const isRefused = (reference: string) => isOutsideScope(reference, scope, path.win32);
		for (const reference of [
			'D:\\work\\a.csv',
			'd:a.csv',
			'\\\\server\\share\\a.csv',
			'//server/share/a.csv',
			'\\\\?\\C:\\work\\a.csv',
			'\\\\.\\pipe\\x',
			'..\\..\\a.csv',
			'../../work2/a.csv',
			'\\a.csv',
			'C:\\workx\\a.csv',
		]) {
			assert.equal(isRefused(reference), true, reference);
		}
		for (const reference of ['a.csv', '..\\a.csv', '../..a.csv', 'C:\\work\\a.csv', 'c:/WORK/a.csv']) {
			assert.equal(isRefused(reference), false, reference);
		}
		assert.equal(isInsideFolder('D:\\work', 'C:\\work', path.win32), false);
	});

	it('finds files by patterns', async () => {
		assert.deepEqual(await findNames('../runs/a.json'), ['runs/a.json']);
		assert.deepEqual(await findNames('../runs/*.json'), ['runs/a.json']);
		assert.deepEqual(await findNames('../runs/{a,deep/b}.json'), ['runs/a.json', 'runs/deep/b.json']);
		assert.deepEqual(await findNames('../runs/**/*.json'), ['runs/a.json', 'runs/deep/b.json', 'runs/deep/er/c.json']);
		assert.deepEqual(await findNames('../runs/**'), ['runs/a.json', 'runs/deep/b.json', 'runs/deep/er/c.json']);
		assert.deepEqual(await findNames('../runs/deep/[a-b].jso?'), ['runs/deep/b.json']);
		assert.deepEqual(await findNames('../in/*.json'), ['in/b.json']);
		assert.deepEqual(await findNames('../..runs/*'), ['..runs/e.json']);
		assert.deepEqual(await findNames('../none/*.json'), []);
	});

	it('refuses patterns that lead outside, without reading the disk', async () => {
		for (const pattern of ['../../other/**', '/**', '../out/**', '../runs/out.json', '//server/share/**', '../*t/*.json']) {
			await assert.rejects(findNames(pattern), { name: 'OutsideScope' }, pattern);
		}
		await assert.rejects(findFilesInScope('../../other/**', { folder, root }, { limit: 0 }), { name: 'OutsideScope' });
		await assert.rejects(findNames('../*/../../other/*.json'), { name: 'PatternError' });
	});

	it('stops a search that visits too many files or is aborted', async () => {
		await assert.rejects(findNames('../**/*.json', 3), { name: 'PatternError' });
		assert.deepEqual(await findNames(`../runs/${'**/'.repeat(1_000)}*.json`, 20), await findNames('../runs/**/*.json', 20));
		await assert.rejects(findNames(`../${'{a,b}'.repeat(30)}`), { name: 'PatternError' });
		await assert.rejects(findFilesInScope('../**', { folder, root }, { signal: AbortSignal.abort() }), { name: 'AbortError' });
	});

	it('matches hostile patterns in limited time', () => {
		const started = performance.now();
		assert.equal(matchesSegment('a'.repeat(255), `${'*a'.repeat(100)}*b`), false);
		assert.ok(performance.now() - started < 500);
		assert.equal(matchesSegment('x-1.run.json', '*.run.json'), true);
		assert.equal(matchesSegment('x', '[!x]'), false);
	});
});
