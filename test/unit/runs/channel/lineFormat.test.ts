import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
	findChannelLinks,
	formatAudioEnd,
	formatLinePrefix,
	formatNodeColumns,
	formatOutputLine,
	formatRunHead,
	formatValue,
	glyphs,
	insertRunId,
} from '#runs/channel/lineFormat.ts';
import { root } from '../../../../scripts/lib/paths.ts';

const at = new Date(2026, 10, 21, 10, 32, 5, 120).getTime();
const id = '8f21c0de';
const lead = formatLinePrefix(at);
const head = `${lead}${formatRunHead('summarize', id, 'annual.run.json', 'Built-in gateway · streaming · user ana')}`;
const columns = formatNodeColumns({ kind: 'http-request', title: 'Fetch' });

describe('links in the output channel', () => {
	const text = [
		head,
		`${lead}│ ${glyphs.started} ${columns}`,
		`${lead}│ ${glyphs.other} new_event           ${formatValue('x'.repeat(2000))}`,
		`${lead}│ ${formatAudioEnd()}`,
		`${lead}${formatOutputLine('long: one', 'x'.repeat(2000))}`,
		`${lead}${formatOutputLine('short', 1)}`,
		insertRunId(`${lead}│ ${formatAudioEnd()}`, 'another'),
		insertRunId(`${lead}${formatOutputLine('other', 'x'.repeat(200))}`, 'another'),
	].join('\n');
	const findLinks = (runs: string[]) =>
		[...findChannelLinks(text, new Set(runs))].map(({ to, start, length, name }) => [to, text.slice(start, start + length), name]);

	it('lead to the run, its file, its outputs and its audio', () => {
		assert.deepEqual(findLinks([id]), [
			['run', id, ''],
			['file', 'annual.run.json', 'annual.run.json'],
			['run', 'open', ''],
			['audio', 'open', ''],
			['output', '2,000 characters: open', 'long'],
		]);
	});

	it('lead from an error of a program to its line', () => {
		const failure = `${lead}│ ${glyphs.failed} ${columns} TypeError: x is undefined (line 12)`;
		const text = `${head}\n${failure}`;
		const links = [...findChannelLinks(text, new Set([id]))].filter(({ to }) => to === 'failure');
		assert.deepEqual(
			links.map(({ to, start, length, name }) => [to, text.slice(start, start + length), name]),
			[['failure', 'line 12', '12']],
		);
	});

	it('are absent for unknown runs', () => {
		assert.deepEqual(findLinks([]), []);
		assert.deepEqual(findLinks(['another']), [
			['audio', 'open', ''],
			['output', '200 characters: open', 'other'],
		]);
	});
});

interface Rule {
	readonly match?: string;
	readonly begin?: string;
	readonly include?: string;
	readonly patterns?: readonly Rule[];
}

describe('the grammar of the output channel', () => {
	const { patterns, repository } = JSON.parse(fs.readFileSync(path.join(root, 'media', 'runs.tmLanguage.json'), 'utf8')) as {
		readonly patterns: readonly Rule[];
		readonly repository: Readonly<Record<string, Rule>>;
	};
	const [output, line] = patterns;
	/** Returns the patterns of a rule and its inner rules. */
	const listExpressions = ({ match, begin, patterns: inner = [] }: Rule): string[] => [
		...[match, begin].filter(each => each !== undefined),
		...inner.flatMap(listExpressions),
	];
	const findNamesAtStart = (text: string) =>
		Object.entries(repository)
			.filter(([, rule]) => listExpressions(rule).some(each => new RegExp(each).exec(text)?.index === 0))
			.map(([name]) => name);

	it('matches the time of each line and its run ID, if any, and the name and value of an output', () => {
		for (const text of [head, `${lead}│ ┆ ${glyphs.started} ${columns}`, `${lead}${glyphs.ended} succeeded  1 s`]) {
			assert.deepEqual(new RegExp(line?.begin ?? '').exec(text)?.slice(1, 3), [text.slice(0, 12), undefined], text);
			assert.equal(new RegExp(line?.begin ?? '').exec(insertRunId(text, id))?.[2], id, text);
		}
		const answer = `${lead}${formatOutputLine('answer', 'Hi')}`;
		for (const [text, shown] of [
			[answer, undefined],
			[insertRunId(answer, id), id],
		] as const) {
			assert.deepEqual(new RegExp(output?.match ?? '').exec(text)?.slice(2), [shown, 'answer', ':', '"Hi"']);
		}
	});

	it('has a rule for each glyph', () => {
		const { head: _, ended, paused, text, thought, note, stopped, ...nodes } = glyphs;
		assert.deepEqual(findNamesAtStart(head.slice(lead.length)), ['head']);
		for (const glyph of [ended, paused, stopped]) {
			assert.ok(findNamesAtStart(`${glyph} stopped  1 s`).includes('end'), glyph);
		}
		assert.deepEqual(findNamesAtStart(`${text} Hi`), ['text']);
		assert.deepEqual(findNamesAtStart(`${thought} Hm`), ['thought']);
		assert.match(`  ${note} Hm`, new RegExp(repository['note']?.match ?? 'none'));
		for (const glyph of Object.values(nodes)) {
			assert.deepEqual(findNamesAtStart(`${glyph} ${columns}`), ['node'], glyph);
		}
	});
});
