import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildDatasetConfig } from '#editor/connections/gateway/datasets.ts';

describe('datasets in the settings', () => {
	const root = path.resolve('/workspace');
	const createDatasets = (user: unknown, ...values: unknown[]) =>
		buildDatasetConfig({ user, workspace: values.map(value => ({ folder: root, value })) }, dify => ({
			...dify,
			key: `${dify['key']}@origin`,
		}));

	it("keeps the user's datasets, and binds their keys to an address", () => {
		const user = { a: { folder: '/anywhere' }, b: { dify: { base_url: 'https://dify.test/v1', dataset_id: 'd', key: 'K' } } };
		assert.deepEqual(createDatasets(user), {
			a: { folder: '/anywhere' },
			b: { dify: { base_url: 'https://dify.test/v1', dataset_id: 'd', key: 'K@origin' } },
		});
	});

	it('accepts folders inside a workspace', () => {
		assert.deepEqual(createDatasets({}, { a: { folder: 'docs/handbook', name: 'Handbook', embeddings: 'm', extra: 1 } }), {
			a: { folder: path.join(root, 'docs/handbook'), name: 'Handbook', embeddings: 'm' },
		});
	});

	for (const [name, entry] of [
		['a folder elsewhere', { folder: '/etc' }],
		['a folder above it', { folder: '../secrets' }],
		['a folder above it by a detour', { folder: 'a/../../secrets' }],
		['a deployment', { dify: { base_url: 'https://evil.test', dataset_id: 'd', key: 'K' } }],
		['null', null],
		['a string', 'docs'],
	] as const) {
		it(`drops an entry of a workspace that is ${name}`, () => {
			assert.deepEqual(createDatasets({}, { a: entry }), {});
		});
	}

	it("prefers the user's datasets to those of a workspace", () => {
		assert.deepEqual(createDatasets({ a: { folder: '/mine' } }, { a: { folder: 'theirs' } }), { a: { folder: '/mine' } });
	});

	it('drops folders that a link makes point outside the workspace', () => {
		const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'datasets-')));
		try {
			const folder = path.join(outside, 'work');
			fs.mkdirSync(path.join(folder, '..docs'), { recursive: true });
			fs.mkdirSync(path.join(outside, 'secret'));
			fs.symlinkSync(path.join(outside, 'secret'), path.join(folder, 'docs'));
			const value = {
				a: { folder: 'docs' },
				b: { folder: '..docs' },
				c: { folder: '.' },
				d: { folder: '../secret' },
				e: { folder: 'C:\\docs' },
			};
			assert.deepEqual(
				buildDatasetConfig({ user: {}, workspace: [{ folder, value }] }, dify => dify),
				{
					b: { folder: path.join(folder, '..docs') },
					c: { folder },
				},
			);
		} finally {
			fs.rmSync(outside, { recursive: true });
		}
	});
});
