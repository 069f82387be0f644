import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileReadings } from '#editor/chat/context/fileReadings.ts';

describe('files that are read while the user types', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'readings-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));
	const write = (name: string, text: string) => {
		fs.writeFileSync(path.join(folder, name), text);
		return vscode.Uri.file(path.join(folder, name));
	};

	it('are only read again after they have changed, also if two lists are asked for at once', async () => {
		const parsed: string[] = [];
		const readings = new FileReadings(text => parsed.push(text));
		const files = [write('a.yml', 'a'), write('b.yml', 'b')];
		await Promise.all([readings.readFiles(files), readings.readFiles(files)]);
		assert.deepEqual(parsed, ['a', 'b']);
		write('b.yml', 'changed');
		await readings.readFiles(files);
		assert.deepEqual(parsed, ['a', 'b', 'changed']);
	});

	it('are skipped if they are large, gone, damaged, or links out of the workspace', async () => {
		const readings = new FileReadings(text => (text === 'damaged' ? assert.fail() : text));
		const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'outside-'));
		fs.writeFileSync(path.join(outside, 'secret'), 'secret');
		fs.symlinkSync(path.join(outside, 'secret'), path.join(folder, 'link.yml'));
		fs.symlinkSync('/dev/zero', path.join(folder, 'endless.yml'));
		const names = ['link.yml', 'endless.yml', 'gone.yml'].map(name => vscode.Uri.file(path.join(folder, name)));
		const files = [...names, write('large.yml', 'x'.repeat(300_000)), write('damaged.yml', 'damaged'), write('a.yml', 'a')];
		assert.deepEqual(
			(await readings.readFiles(files)).map(([, text]) => text),
			['a'],
		);
		fs.rmSync(outside, { recursive: true });
	});
});
