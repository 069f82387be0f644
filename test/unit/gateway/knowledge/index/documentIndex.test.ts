import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { maxFileBytes } from '#base/files/folderScan.ts';
import { DocumentIndex } from '#gateway/knowledge/index/documentIndex.ts';
import { openIndexFile } from '#gateway/knowledge/index/indexFile.ts';
import { type IndexQuery, SegmentSearch } from '#gateway/knowledge/index/segmentSearch.ts';

describe('document index', () => {
	let base: string;
	let folder: string;
	let db: DatabaseSync;
	let index: DocumentIndex;
	let search: SegmentSearch;

	beforeEach(() => {
		base = fs.mkdtempSync(path.join(os.tmpdir(), 'knowledge-test-'));
		folder = path.join(base, 'documents');
		fs.mkdirSync(folder);
		db = openIndexFile(path.join(base, 'index.db'));
		index = new DocumentIndex(db);
		search = new SegmentSearch(db);
	});
	afterEach(() => {
		db.close();
		fs.rmSync(base, { recursive: true, force: true });
	});

	const writeDocument = (name: string, text: string | Buffer) => {
		fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		fs.writeFileSync(path.join(folder, name), text);
	};

	/** Indexes all changes; returns the documents that were read. */
	const updateIndex = (): string[] => {
		index.scanFolder(folder);
		const read: string[] = [];
		for (let next = index.findNextDocument(folder); next !== undefined; next = index.findNextDocument(folder)) {
			if (next !== 'more') {
				read.push(next.path);
				index.saveDocument(next, { text: Buffer.from(next.bytes).toString() });
			}
		}
		return read.sort();
	};
	const findTexts = (text: string, query: Partial<IndexQuery> = {}) =>
		search.findSegments({
			folders: [folder],
			text,
			vectors: [],
			weights: undefined,
			filter: undefined,
			scoreThreshold: 0,
			limit: 10,
			...query,
		}).segments;
	const listPaths = (...query: Parameters<typeof findTexts>) => findTexts(...query).map(segment => segment.path);

	it('keeps documents of subfolders and files that cannot be read for a while', () => {
		writeDocument('a.md', 'radar');
		writeDocument('shared/b.md', 'radar');
		writeDocument('shared/inner/c.md', 'radar');
		writeDocument('shared.md', 'radar');
		writeDocument('gone.md', 'radar');
		updateIndex();
		fs.rmSync(path.join(folder, 'gone.md'));
		const { readdirSync, statSync } = fs;
		const refuse = (name: fs.PathLike, ending: string) => {
			if (String(name).endsWith(ending)) {
				throw Object.assign(new Error('denied'), { code: 'EACCES' });
			}
		};
		Object.assign(fs, {
			readdirSync: (name: string, options: { withFileTypes: true }) => {
				refuse(name, 'shared');
				return readdirSync(name, options);
			},
			statSync: (name: string, options: fs.StatSyncOptions) => {
				refuse(name, 'a.md');
				return statSync(name, options);
			},
		});
		syncBuiltinESMExports();
		try {
			assert.match(String(index.scanFolder(folder)), /^2 of its files and folders can't be read, for example (a\.md|shared)$/);
		} finally {
			Object.assign(fs, { readdirSync, statSync });
			syncBuiltinESMExports();
		}
		assert.deepEqual(listPaths('radar').sort(), ['a.md', 'shared.md', 'shared/b.md', 'shared/inner/c.md']);
		assert.deepEqual(updateIndex(), []);
	});

	it('reads only new and changed documents', () => {
		writeDocument('a.md', '# A\nradar gauges');
		writeDocument('below/b.md', 'batteries');
		assert.deepEqual(updateIndex(), ['a.md', 'below/b.md']);
		assert.deepEqual(updateIndex(), []);
		writeDocument('a.md', '# A\npressure sensors');
		assert.deepEqual(updateIndex(), ['a.md']);
		assert.deepEqual(listPaths('radar'), []);
		assert.deepEqual(listPaths('pressure'), ['a.md']);
		fs.rmSync(path.join(folder, 'below'), { recursive: true });
		assert.deepEqual(updateIndex(), []);
		assert.deepEqual(listPaths('batteries'), []);
		assert.equal(index.countDocuments(folder, undefined).segments, 1);
	});

	it("doesn't read a file again whose content is unchanged", () => {
		writeDocument('a.md', 'radar');
		updateIndex();
		fs.utimesSync(path.join(folder, 'a.md'), new Date(), new Date(Date.now() + 60_000));
		assert.deepEqual(updateIndex(), []);
		assert.equal(index.countDocuments(folder, undefined).waiting, 0);
	});

	it('reads a file again that had no text, even if its content is unchanged', () => {
		writeDocument('a.pdf', 'radar');
		index.scanFolder(folder);
		const next = index.findNextDocument(folder);
		assert.ok(next !== undefined && next !== 'more');
		index.saveDocument(next, { problem: 'is encrypted', state: 'failed' });
		fs.utimesSync(path.join(folder, 'a.pdf'), new Date(), new Date(Date.now() + 60_000));
		assert.deepEqual(updateIndex(), ['a.pdf']);
		assert.deepEqual(listPaths('radar'), ['a.pdf']);
	});

	it('finds a document again that was too large for a while', () => {
		writeDocument('a.md', 'radar');
		updateIndex();
		fs.truncateSync(path.join(folder, 'a.md'), maxFileBytes + 1);
		updateIndex();
		assert.deepEqual(listPaths('radar'), []);
		writeDocument('a.md', 'radar');
		assert.deepEqual(updateIndex(), ['a.md']);
		assert.deepEqual(listPaths('radar'), ['a.md']);
	});

	it('keeps unchanged segments of a changed document, with their vectors', () => {
		writeDocument('a.md', '# One\nfirst\n# Two\nsecond');
		updateIndex();
		const before = index.segments.getUnembedded(folder, 'm', 10);
		index.segments.addVectors(
			folder,
			'm',
			before.map(({ segment }) => ({ segment, vector: Float32Array.of(1, 0) })),
		);
		writeDocument('a.md', '# Zero\nnew\n# One\nfirst\n# Two\nchanged');
		updateIndex();
		assert.deepEqual(
			index.segments.getUnembedded(folder, 'm', 10).map(({ text }) => text),
			['Zero\nnew', 'Two\nchanged'],
		);
		assert.deepEqual(
			findTexts('first').map(({ position, content }) => [position, content]),
			[[2, 'One\nfirst']],
		);
	});

	it('skips hidden files, node_modules, links and files over the limit', () => {
		writeDocument('.git/config', 'radar');
		writeDocument('.hidden.md', 'radar');
		writeDocument('node_modules/x/readme.md', 'radar');
		writeDocument('seen.md', 'radar');
		fs.writeFileSync(path.join(base, 'secret.md'), 'radar secret');
		fs.symlinkSync(path.join(base, 'secret.md'), path.join(folder, 'link.md'));
		fs.symlinkSync(base, path.join(folder, 'up'));
		assert.deepEqual(updateIndex(), ['seen.md']);
		fs.truncateSync(path.join(folder, 'seen.md'), 50 * 1024 * 1024);
		assert.deepEqual(updateIndex(), []);
		assert.deepEqual(listPaths('radar'), []);
		assert.match(index.getProblems(folder, 5)[0]?.problem ?? '', /larger than 32 MB/);
	});

	it("doesn't follow a folder that was replaced by a link after the scan", () => {
		writeDocument('below/a.md', 'radar');
		index.scanFolder(folder);
		fs.mkdirSync(path.join(base, 'outside'));
		fs.writeFileSync(path.join(base, 'outside/a.md'), 'secret');
		fs.rmSync(path.join(folder, 'below'), { recursive: true });
		fs.symlinkSync(path.join(base, 'outside'), path.join(folder, 'below'));
		assert.equal(index.findNextDocument(folder), 'more');
		assert.equal(index.findNextDocument(folder), undefined);
	});

	it("doesn't read a document that has grown beyond the limit since the scan", () => {
		writeDocument('log.txt', 'short');
		index.scanFolder(folder);
		fs.truncateSync(path.join(folder, 'log.txt'), 32 * 1024 * 1024 + 1);
		assert.equal(index.findNextDocument(folder), 'more');
		assert.equal(index.findNextDocument(folder), undefined);
		assert.deepEqual(updateIndex(), []);
		assert.equal(index.getProblems(folder, 9)[0]?.problem, 'is larger than 32 MB');
	});

	it('gives up on a document that crashes its thread', () => {
		writeDocument('poison.md', 'x');
		index.scanFolder(folder);
		index.findNextDocument(folder);
		index.findNextDocument(folder);
		assert.equal(index.findNextDocument(folder), 'more');
		assert.equal(index.findNextDocument(folder), undefined);
		assert.equal(index.countDocuments(folder, undefined).failed, 1);
		writeDocument('poison.md', 'mended');
		assert.deepEqual(updateIndex(), ['poison.md']);
		assert.deepEqual(listPaths('mended'), ['poison.md']);
	});

	it('finds words of any language and length', () => {
		writeDocument('en.md', '# Sensors\nPressure sensors are calibrated every six months. C is a language.');
		writeDocument('zh.md', '潮位站的传感器每六个月校准一次。');
		writeDocument('ja.md', '電池は四年ごとに交換します。');
		writeDocument('de.md', 'Die Straße zum Pegel führt über den Deich.');
		updateIndex();
		for (const [question, name] of [
			['sensor calibration', 'en.md'],
			['How often are they CALIBRATED?', 'en.md'],
			['C', 'en.md'],
			['传感器', 'zh.md'],
			['校', 'zh.md'],
			['次', 'zh.md'],
			['電池', 'ja.md'],
			['fuhrt', 'de.md'],
			['" OR * NEAR calibrated', 'en.md'],
			['text:calibrated* AND (', 'en.md'],
		] as const) {
			assert.equal(listPaths(question)[0], name, question);
		}
		for (const nothing of ['', '""', '*', 'NEAR(', '\u0000', '🛟']) {
			assert.deepEqual(listPaths(nothing), [], nothing);
		}
	});

	it('ranks better matches first, and rare words higher', () => {
		writeDocument('a.md', 'The station is the place of the gauge.');
		writeDocument('b.md', 'The mareograph of the station.');
		writeDocument('c.md', 'The weather of the day.');
		updateIndex();
		const [first, ...others] = findTexts('the mareograph');
		assert.equal(first?.path, 'b.md');
		assert.equal(first?.score, 1);
		assert.ok(others.every(({ score }) => score < 0.5));
		assert.deepEqual(listPaths('the mareograph', { scoreThreshold: 0.9 }), ['b.md']);
		assert.deepEqual(listPaths('the mareograph', { limit: 1 }), ['b.md']);
	});

	it('combines words and vectors, and ignores vectors of another length', () => {
		writeDocument('words.md', 'mareograph');
		writeDocument('near.md', 'an instrument');
		writeDocument('other.md', 'something else');
		updateIndex();
		const vectors: Readonly<Record<string, Float32Array>> = {
			mareograph: Float32Array.of(0.6, 0.8),
			'an instrument': Float32Array.of(1, 0),
			'something else': Float32Array.of(-1, 0),
		};
		index.segments.addVectors(
			folder,
			'm',
			index.segments.getUnembedded(folder, 'm', 10).map(({ segment, text }) => ({ segment, vector: vectors[text] as Float32Array })),
		);
		const question = { vectors: [{ model: 'm', vector: Float32Array.of(2, 0) }] };
		assert.deepEqual(
			findTexts('mareograph', question).map(({ path: name, score }) => [name, score]),
			[
				['words.md', 0.6],
				['near.md', 1],
				['other.md', 0],
			],
		);
		assert.deepEqual(listPaths('mareograph', { ...question, weights: { vector: 1, keyword: 0 } }), ['near.md', 'words.md', 'other.md']);
		assert.deepEqual(listPaths('mareograph', { vectors: [{ model: 'm', vector: Float32Array.of(1, 0, 0) }] }), ['words.md']);
		assert.throws(
			() => index.segments.addVectors(folder, 'm', [{ segment: 1, vector: Float32Array.of(1) }]),
			/vectors of 1 numbers instead of 2/,
		);
	});

	it('searches only documents that match a filter', () => {
		writeDocument('a.md', '---\nowner: People\n---\nradar');
		writeDocument('b.txt', 'radar');
		updateIndex();
		const owned = { join: 'and' as const, conditions: [{ name: 'owner', operator: 'is', value: 'people' }] };
		const texts = { join: 'and' as const, conditions: [{ name: 'extension', operator: 'is', value: '.txt' }] };
		assert.deepEqual(listPaths('radar', { filter: owned }), ['a.md']);
		assert.deepEqual(listPaths('radar', { filter: texts }), ['b.txt']);
		assert.deepEqual(search.getMetadataNames([folder]), [
			'document_name',
			'extension',
			'last_update_date',
			'owner',
			'path',
			'size',
			'upload_date',
		]);
	});

	it("removes folders that aren't datasets any more", () => {
		writeDocument('a.md', 'radar');
		updateIndex();
		index.removeOtherFolders(['/elsewhere'], []);
		assert.deepEqual(listPaths('radar'), []);
		assert.equal(index.countDocuments(folder, undefined).documents, 0);
	});

	it('starts over if its file is corrupt', () => {
		const file = path.join(base, 'rubbish.db');
		fs.writeFileSync(file, 'no database at all, '.repeat(1_000));
		openIndexFile(file).close();
	});

	it("keeps its file, with vectors that were paid for, if it can't be opened at the moment", () => {
		const file = path.join(base, 'index.db');
		db.close();
		const before = fs.readFileSync(file);
		// like a full disk or a file of another account
		fs.mkdirSync(`${file}-wal`);
		assert.throws(() => openIndexFile(file));
		assert.deepEqual(fs.readFileSync(file), before);
		fs.rmdirSync(`${file}-wal`);
		db = openIndexFile(file);
	});
});
