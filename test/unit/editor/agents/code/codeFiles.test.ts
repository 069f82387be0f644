import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CodeFiles } from '#editor/agents/code/codeFiles.ts';
import { createCodeUri, parseCodeUri } from '#editor/agents/code/codeUri.ts';
import { AgentReadings } from '#editor/agents/files/agentReadings.ts';
import { fakeTextDocuments } from '../../../../support/editor/playedTexts.ts';

const createAgent = (code: string, node = 'say') => `workflow:
  graph:
    nodes:
      - id: ${node}
        data: { type: code, title: Say, code_language: python3, code: "${code}", outputs: { a: { type: string } } }
    edges: []
`;

describe('code documents', () => {
	let texts: ReturnType<typeof fakeTextDocuments>;
	let files: CodeFiles;
	let reported: vscode.FileChangeEvent[];
	let changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
	const file = vscode.Uri.file('/agents/a.yml');
	const uri = createCodeUri({ file, node: 'say', path: ['code'] }, 'py');
	const waitForChange = () =>
		new Promise<void>(resolve => {
			const heard = changed.event(() => {
				heard.dispose();
				resolve();
			});
		});
	const readCode = async (of = uri) => Buffer.from(await files.readFile(of)).toString();
	const notFound = { code: 'FileNotFound' };

	beforeEach(() => {
		texts = fakeTextDocuments();
		reported = [];
		changed = new vscode.EventEmitter();
		changed.event(events => reported.push(...events));
		files = new CodeFiles(changed, new AgentReadings());
	});
	afterEach(() => {
		files.dispose();
		texts.end();
	});

	it("stay unchanged while their file isn't valid YAML, and exist again when their node does", async () => {
		const text = texts.open(file, createAgent('return 1'));
		assert.equal(await readCode(), 'return 1');
		const { mtime } = await files.stat(uri);
		text.changeText('workflow: [');
		assert.equal(await readCode(), 'return 1');
		assert.equal((await files.stat(uri)).mtime, mtime);
		await assert.rejects(files.writeFile(uri, Buffer.from('return 2')), { code: 'NoPermissions' });
		assert.equal((await files.stat(uri)).mtime, mtime, 'what was not written is in conflict with nothing');

		let news = waitForChange();
		text.changeText(createAgent('return 1', 'other'));
		await news;
		assert.deepEqual(
			reported.map(({ type }) => type),
			[vscode.FileChangeType.Deleted],
		);
		await assert.rejects(files.stat(uri), notFound);
		await assert.rejects(files.writeFile(uri, Buffer.from('return 2')), notFound);
		news = waitForChange();
		text.changeText(createAgent('return 1'));
		await news;
		assert.equal(reported.at(-1)?.type, vscode.FileChangeType.Created);

		await files.writeFile(uri, Buffer.from('return 3'));
		assert.equal(text.text, createAgent('return 3'));
		text.changeText(createAgent('return 44'));
		assert.ok((await files.stat(uri)).mtime > mtime, 'another hand is a conflict');
	});

	it('follow each of several files that change at the same time', async () => {
		const others = ['/agents/b.yml', '/agents/c.yml'].map(vscode.Uri.file);
		const opened = [file, ...others].map(each => texts.open(each, createAgent('return 1')));
		const codes = [uri, ...others.map(each => createCodeUri({ file: each, node: 'say', path: ['code'] }, 'py'))];
		await Promise.all(codes.map(each => readCode(each)));
		const news = waitForChange();
		for (const text of opened) {
			text.changeText(createAgent('return 2'));
		}
		await news;
		assert.deepEqual(new Set(reported.map(each => each.uri.toString())), new Set(codes.map(each => each.toString())));
	});

	it('are deleted with their file', async () => {
		await assert.rejects(files.stat(uri), notFound);
		await assert.rejects(files.readFile(uri), notFound);
	});

	it('are read-only if their file is', async () => {
		const shown = vscode.Uri.from({ scheme: 'git', path: '/a.yml' });
		texts.open(shown, createAgent('return 1'));
		const of = createCodeUri({ file: shown, node: 'say', path: ['code'] }, 'py');
		assert.equal((await files.stat(of)).permissions, vscode.FilePermission.Readonly);
		await assert.rejects(files.writeFile(of, Buffer.from('x')), { code: 'NoPermissions' });
	});

	it("don't exist for other URIs or for values that aren't strings", async () => {
		const text = texts.open(file, createAgent('return 1'));
		for (const other of ['/etc/passwd', '/agents/settings.json']) {
			texts.open(vscode.Uri.file(other), createAgent('secret'));
			await assert.rejects(readCode(createCodeUri({ file: vscode.Uri.file(other), node: 'say', path: ['code'] }, 'py')), notFound);
		}
		const createQuery = (value: unknown) => uri.with({ query: JSON.stringify(value) });
		for (const forged of [
			uri.with({ path: '/agents/../../etc/passwd' }),
			uri.with({ path: uri.path.replace('.py', '.html') }),
			uri.with({ query: '' }),
			uri.with({ query: 'null' }),
			createQuery({ file: 'no address', node: 'say', path: ['code'] }),
			createQuery({ file: file.toString(), node: 'say', path: [] }),
			createQuery({ file: file.toString(), node: 'say', path: [{}] }),
			createQuery({ file: `${file.toString()}/../b.yml`, node: 'say', path: ['code'] }),
		]) {
			assert.equal(parseCodeUri(forged), undefined, forged.toString());
			await assert.rejects(files.stat(forged), notFound);
		}
		for (const path of [['outputs'], ['outputs', 'a'], ['__proto__'], ['code', 'length'], ['outputs', '__proto__', 'x']]) {
			const of = createCodeUri({ file, node: 'say', path }, 'py');
			await assert.rejects(files.readFile(of), notFound, path.join());
			await assert.rejects(files.writeFile(of, Buffer.from('x')), path.join());
		}
		assert.equal(text.text, createAgent('return 1'));
	});
});
