import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { PanelPicture } from '#editor/agents/graph/panelPicture.ts';
import { PagePicture } from '#pages/graph/pagePicture.ts';
import { createEmptyPicture, createPicture } from '#pages/graph/picture/agentPicture.ts';
import type { FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { KnownPicture } from '#pages/graph/picture/knownPicture.ts';
import { readAgentFiles } from '../support/agentFiles.ts';
import { fuzzRuns } from './fuzzRuns.ts';
import { applyEdit, textEdit } from './textEdits.ts';

type Message = Extract<FromGraphHost, { type: 'picture' }>;

const files = readAgentFiles().map(({ text }) => text);
/** A manual edit or the result of gestures: nodes and edges in another order, removed or duplicated. */
const step = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ edit: textEdit }) },
	fc.record({ item: fc.nat(), goes: fc.constantFrom('away', 'down', 'twice') }),
	fc.record({ title: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function applyStep(text: string, each: Step): string {
	if ('edit' in each) {
		return applyEdit(text, each.edit);
	}
	if ('title' in each) {
		const titles = [...text.matchAll(/title: *(?=\w)/g)];
		const title = titles[each.title % Math.max(1, titles.length)];
		return title ? `${text.slice(0, title.index)}${title[0]}x${text.slice(title.index + title[0].length)}` : text;
	}
	// multi-line items: each starts with a dash and ends before the next dash in its column
	const items = [...text.matchAll(/^( *)- .*\n(?:\1 .*\n)*/gm)];
	const item = items[each.item % Math.max(1, items.length)];
	if (!item) {
		return text;
	}
	const [head, tail] = [text.slice(0, item.index), text.slice(item.index + item[0].length)];
	if (each.goes === 'away') {
		return head + tail;
	}
	const next = /^( *)- .*\n(?:\1 .*\n)*/.exec(tail)?.[0] ?? '';
	return each.goes === 'twice' ? head + item[0] + item[0] + tail : head + next + item[0] + tail.slice(next.length);
}
/** Uses fewer examples unless FUZZ_RUNS is set, because each reads a file several times. */
const runs = process.env['FUZZ_RUNS'] === undefined ? fuzzRuns / 4 : fuzzRuns;

/** Creates a host that records its messages. A page gets only the last one. */
function createRecordingHost() {
	let last: Message | undefined;
	const now = {
		version: 1,
		picture: undefined as AgentPicture | undefined,
		stale: undefined,
		get empty() {
			return now.picture === undefined;
		},
	};
	const host = new PanelPicture(
		{ getCurrentPicture: () => now },
		() => 0,
		message => (last = structuredClone(message)),
	);
	return { now, host, getLast: () => last as Message };
}

describe('graph changes sent to a page', () => {
	it('produce the picture of the text after any edits, even if messages are lost', () => {
		let changes = 0;
		fc.assert(
			fc.property(
				fc.constantFrom(...files),
				fc.array(fc.record({ step, isLost: fc.nat(9).map(chance => chance === 0) }), { minLength: 1, maxLength: 8 }),
				(file, steps) => {
					const [known, page] = [new KnownPicture(), new PagePicture()];
					const { now, getLast, host } = createRecordingHost();
					let text = file;
					let reading = new AgentReading(text);
					for (const { step: each, isLost } of [{ step: { title: 0 }, isLost: false }, ...steps]) {
						text = applyStep(text, each);
						reading = new AgentReading(text, reading.parts);
						const { content } = reading;
						const picture = createPicture(content, known) ?? createEmptyPicture(content);
						const whole = createPicture(content) ?? createEmptyPicture(content);
						assert.deepEqual(picture, whole);
						now.picture = picture;
						host.sendPictureChange(now);
						if (isLost) {
							continue;
						}
						changes += getLast().change ? 1 : 0;
						if (!page.applyUpdate(getLast())) {
							host.sendWholePicture();
							assert.ok(page.applyUpdate(getLast()));
						}
						assert.deepEqual(page.shown, whole);
					}
				},
			),
			{ numRuns: runs },
		);
		assert.ok(changes > runs, `${changes} changes were sent`);
	});

	it('reuse unchanged objects, and contain only what changed', () => {
		const formatNode = (at: number, title: string) => `      - id: n${at}\n        data: { type: code, title: ${title} }\n`;
		const formatText = (...titles: readonly string[]) =>
			`workflow:\n  graph:\n    edges: []\n    nodes:\n${titles.map((title, at) => formatNode(at, title)).join('')}`;
		const titles = Array.from({ length: 200 }, (_, at) => `T${at}`);
		const [known, page] = [new KnownPicture(), new PagePicture()];
		const { now, getLast, host } = createRecordingHost();
		let reading = new AgentReading('');
		const sendText = (written: string) => {
			reading = new AgentReading(written, reading.parts);
			now.picture = createPicture(reading.content, known);
			host.sendPictureChange(now);
			assert.ok(page.applyUpdate(getLast()));
			return getLast();
		};
		assert.ok(sendText(formatText(...titles)).picture);
		const before = page.shown;
		const { change, picture } = sendText(formatText(...titles.with(100, 'Typed')));
		assert.equal(picture, undefined);
		assert.deepEqual(
			change?.nodes.map(piece => ('items' in piece ? piece.items.map(({ title }) => title) : [piece.from, piece.count])),
			[[0, 100], ['Typed'], [101, 99]],
		);
		assert.equal(page.shown?.edges, before?.edges);
		assert.deepEqual(
			page.shown?.nodes.flatMap((each, at) => (each === before?.nodes[at] ? [] : [each.id])),
			['n100'],
		);
		const shown = page.shown;
		sendText(`# a word\n${formatText(...titles.with(100, 'Typed'))}`);
		assert.equal(page.shown, shown);
	});
});
