import assert from 'node:assert/strict';
import type { FromHost } from '#pages/chat/panel/panelProtocol.ts';
import type { PanelStrings } from '#pages/chat/panel/panelStrings.ts';
import { applyChanges, createPanelState, getEndText } from '#pages/chat/panelState.ts';
import type { ShownTurn } from '#pages/chat/transcript/chatChanges.ts';
import type { ChatPart } from '#pages/chat/transcript/transcript.ts';

type Snapshot = Extract<FromHost, { type: 'snapshot' }>;
const reply = { status: 'streaming', endpoint: 'messages', connection: 'c', model: 'm' } as const;
const createTurn = (id: string): ShownTurn => ({
	id,
	parent: null,
	role: 'assistant',
	parts: [{ kind: 'text', text: 'a' }],
	at: 0,
	reply,
	branch: { index: 0, count: 1 },
});
const createSnapshot = (): Snapshot => ({ type: 'snapshot', seq: 5, turns: [createTurn('t')], history: [] }) as unknown as Snapshot;

describe('panel state', () => {
	it('applies the changes of a stream', () => {
		const state = createPanelState(createSnapshot());
		const applied = applyChanges(state, 6, [
			{ type: 'textAdded', turn: 't', index: 0, text: 'b' },
			{ type: 'partAdded', turn: 't', part: { kind: 'toolCall', id: 'x', name: 'n', input: '' } },
			{ type: 'textAdded', turn: 't', index: 1, text: '{}' },
			{ type: 'replyChanged', turn: 't', reply: { ...reply, status: 'done' } },
		]);
		assert.deepEqual(state.turns[0]?.parts, [
			{ kind: 'text', text: 'ab' },
			{ kind: 'toolCall', id: 'x', name: 'n', input: '{}' },
		]);
		assert.equal(applied?.scope, 'turns');
		assert.deepEqual(
			applied?.ended.map(t => t.id),
			['t'],
		);
	});

	it('requests a snapshot when a message is missing', () => {
		const state = createPanelState(createSnapshot());
		assert.equal(applyChanges(state, 7, []), undefined);
		assert.equal(applyChanges(state, 5, []), undefined);
		assert.equal(state.seq, 5);
	});

	it("ignores a reply in a branch that isn't shown", () => {
		const state = createPanelState(createSnapshot());
		const applied = applyChanges(state, 6, [{ type: 'textAdded', turn: 'elsewhere', index: 0, text: 'b' }]);
		assert.deepEqual(applied, { scope: 'turns', turns: [], ended: [] });
	});

	it("doesn't announce an end when a reply is rated, and renders the shell again for suggested questions", () => {
		const state = createPanelState({ ...createSnapshot(), turns: [{ ...createTurn('t'), reply: { ...reply, status: 'done' } }] });
		const rated = { ...reply, status: 'done', feedback: { rating: 'like' } } as const;
		assert.deepEqual(applyChanges(state, 6, [{ type: 'replyChanged', turn: 't', reply: rated }])?.ended, []);
		const suggested = { ...rated, suggested: ['More?'] };
		const applied = applyChanges(state, 7, [{ type: 'replyChanged', turn: 't', reply: suggested }]);
		assert.deepEqual([applied?.ended, applied?.scope, state.turns[0]?.reply?.suggested], [[], 'shell', ['More?']]);
	});

	it('announces a wait for the service, and a form that waits for an answer instead of an end', () => {
		const strings = { retryLimited: 'Again in {0} s.', replyAsks: "Answer '{0}'.", replyDone: 'Done.' } as PanelStrings;
		const state = createPanelState(createSnapshot());
		const retry = { reason: 'rate-limited', at: Date.now() + 6500, retry: 1, of: 3 } as const;
		const [waiting] = applyChanges(state, 6, [{ type: 'replyChanged', turn: 't', reply: { ...reply, retry } }])!.ended;
		assert.equal(getEndText(waiting!, strings), 'Again in 7 s.');
		assert.deepEqual(applyChanges(state, 7, [{ type: 'replyChanged', turn: 't', reply }])?.ended, []);
		const form = { kind: 'form', form: { title: 'Approve' } } as ChatPart;
		const [asking] = applyChanges(state, 8, [
			{ type: 'partAdded', turn: 't', part: form },
			{ type: 'replyChanged', turn: 't', reply: { ...reply, status: 'done' } },
		])!.ended;
		assert.equal(getEndText(asking!, strings), "Answer 'Approve'.");
		assert.equal(getEndText({ ...asking!, parts: [{ ...form, answer: 'Yes' } as ChatPart] }, strings), 'Done.');
	});

	it('announces the end of a reply that arrives with another branch', () => {
		const state = createPanelState(createSnapshot());
		const applied = applyChanges(state, 6, [{ type: 'path', turns: [{ ...createTurn('t'), reply: { ...reply, status: 'failed' } }] }]);
		assert.equal(applied?.ended.length, 1);
	});

	it('looks at each turn of a long chat a few times when another branch is shown', () => {
		let looks = 0;
		const count = 2000;
		const turns = Array.from({ length: count }, (_, at) => ({
			...createTurn(''),
			get id() {
				looks++;
				return `${at}`;
			},
		}));
		const state = createPanelState({ ...createSnapshot(), turns });
		const done = turns.map(turn =>
			Object.defineProperty({ ...turn, reply: { ...reply, status: 'done' } as const }, 'id', { value: turn.id }),
		);
		assert.equal(applyChanges(state, 6, [{ type: 'path', turns: done }])?.ended.length, count);
		assert.ok(looks < 10 * count, `${looks} looks`);
	});
});
