import assert from 'node:assert/strict';
import { type Continuation, getContinuation } from '#editor/chat/replies/continuation.ts';
import { type ChatPart, createTranscript, type ReplyFacts, type Transcript } from '#pages/chat/transcript/transcript.ts';

const createText = (words: string): ChatPart => ({ kind: 'text', text: words });
const maxTokens = { reason: 'max_tokens', text: '', notable: true };

/** Creates a chat with the given last reply. */
function createChat(reply: Partial<ReplyFacts>, fields: Partial<Transcript> = {}, parts: ChatPart[] = [createText('half')]): Transcript {
	const whole: ReplyFacts = { status: 'stopped', endpoint: 'messages', connection: 'c', model: 'm', ...reply };
	const question = { id: 'q', parent: null, role: 'user', parts: [createText('go')], at: 0 } as const;
	const answer = { id: 'a', parent: 'q', role: 'assistant', parts, at: 0, reply: whole } as const;
	return { ...createTranscript('t'), turns: [{ ...question, parts: [...question.parts] }, answer], leaf: 'a', ...fields };
}

describe('how a cut reply can continue', () => {
	const call: ChatPart = { kind: 'toolCall', id: 't', name: 'f', input: '{"a":' };
	const thought: ChatPart = { kind: 'thinking', text: 'hm', signature: 's' };
	const noPrefill = { reason: 'no-prefill', message: '', actions: [] };
	for (const [name, of, expected] of [
		['stopped', createChat({}), 'prefill'],
		['interrupted', createChat({ status: 'interrupted' }), 'prefill'],
		['failed in the middle', createChat({ status: 'failed' }), 'prefill'],
		['ended at the token limit', createChat({ status: 'done', finish: maxTokens }), 'prefill'],
		['paused by the service', createChat({ status: 'done', finish: { ...maxTokens, reason: 'pause_turn' } }), 'prefill'],
		['complete', createChat({ status: 'done', finish: { ...maxTokens, reason: 'end_turn' } }), undefined],
		['still streaming', createChat({ status: 'streaming' }), undefined],
		['failed before the first text', createChat({ status: 'failed' }, {}, []), undefined],
		['cut in a tool call', createChat({}, {}, [createText('half'), call]), undefined],
		['with thinking', createChat({}, {}, [thought, createText('half')]), 'message'],
		['with thinking turned on', createChat({}, { settings: { messages: { thinking: { type: 'adaptive' } } } }), 'message'],
		['refused a prefill', createChat({ status: 'failed', problem: noPrefill }), 'message'],
		['on Completions', createChat({}, { endpoint: 'completions' }), 'prefill'],
		['on Generate Content', createChat({}, { endpoint: 'content' }), 'message'],
		['of a chat agent', createChat({ conversationId: 'c' }, { endpoint: 'agent' }), 'message'],
		['of an agent without conversations', createChat({}, { endpoint: 'agent' }), undefined],
	] as const satisfies readonly (readonly [string, Transcript, Continuation | undefined])[]) {
		it(`${name}: ${expected ?? 'none'}`, () => assert.equal(getContinuation(of), expected));
	}
});
