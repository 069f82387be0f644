import assert from 'node:assert/strict';
import type { Translate } from '#base/text/localization.ts';
import { readEntries, removeEntries, upsertEntry } from '#editor/connections/connectionEntries.ts';

const t = ((text: string, ...values: unknown[]) =>
	values.reduce<string>((said, value, at) => said.replace(`{${at}}`, String(value)), text)) as Translate;
const good = { id: 'good', name: 'Good', kind: 'gateway', baseUrl: 'https://good.example', note: 'of a later version' };
const faulty = [{ name: 'Typo', kind: 'gatway', baseUrl: 'https://x.example' }, 'text', { kind: 'gateway' }, null];
const other = { id: 'other', name: 'Other', kind: 'dify', baseUrl: 'https://other.example/v1', user: 'eve', agents: ['one'] };
const value = [good, ...faulty, other];

describe('connections in the settings', () => {
	it('are read, and invalid entries are reported with their index', () => {
		const { entries, faulty: reported } = readEntries(value, t);
		assert.deepEqual(
			entries.map(({ id }) => id),
			['good', 'other'],
		);
		assert.deepEqual(
			reported.map(({ index, name }) => [index, name]),
			[
				[1, 'Typo'],
				[2, undefined],
				[3, undefined],
				[4, undefined],
			],
		);
		assert.match(reported[0]!.fault, /'kind' isn't valid\. Expected one of gateway/);
	});

	it('reject unknown kinds', () => {
		for (const kind of ['toString', 'built-in', 5, undefined]) {
			assert.equal(readEntries([{ ...good, kind }], t).entries.length, 0);
		}
	});

	it('use the first entry of each ID', () => {
		const { entries, faulty: reported } = readEntries([good, { ...other, id: 'good' }], t);
		assert.deepEqual(
			[entries.map(({ name }) => name), reported.map(({ fault }) => fault)],
			[['Good'], ["Another connection already has the ID 'good'."]],
		);
	});

	it('keep invalid entries and unknown fields when one is saved', () => {
		const changed = upsertEntry(value, { id: 'good', name: 'Better', kind: 'gateway', baseUrl: 'https://good.example' }, t);
		assert.deepEqual(changed, [{ ...good, name: 'Better' }, ...faulty, other]);
		const added = { id: 'new', name: 'New', kind: 'gateway', baseUrl: 'https://new.example' } as const;
		assert.deepEqual(upsertEntry(value, added, t), [...value, added]);
		assert.deepEqual(upsertEntry(undefined, added, t), [added]);
	});

	it('drop a removed user and removed agents', () => {
		const [changed] = upsertEntry([other], { id: 'other', name: 'Other', kind: 'dify', baseUrl: 'https://other.example/v1' }, t);
		assert.deepEqual(changed, { id: 'other', name: 'Other', kind: 'dify', baseUrl: 'https://other.example/v1' });
	});

	it('keep invalid entries when one is removed', () => {
		assert.deepEqual(removeEntries(value, ['good', 'unknown'], t), [...faulty, other]);
	});

	it('get an ID that is derived from their name', () => {
		const { id: _id, ...unnamed } = good;
		const [entry] = readEntries([unnamed], t).entries;
		assert.equal(entry?.id, 'good');
		assert.deepEqual(upsertEntry([unnamed], { ...entry!, user: 'ana' }, t), [{ ...good, user: 'ana' }]);
	});
});
