import assert from 'node:assert/strict';
import { ReactReply } from '#engine/agent/reactReply.ts';
import { runAgentRounds } from '#engine/agent/runAgentRounds.ts';
import { createAgentOrder, createAgentTool, createAgentWork } from './agentFixture.ts';

const clock = createAgentTool('clock', async ({ zone }) => ({ text: `12:00 in ${zone ?? 'UTC'}` }), { zone: { type: 'string' } });
const react = { strategy: 'ReAct' as const };

/** Parses a reply as a whole and letter by letter. */
function parseReply(text: string) {
	const results = [[text], [...text]].map(pieces => {
		const reply = new ReactReply();
		const answer = pieces.map(piece => reply.push(piece)).join('');
		const { rest, ...end } = reply.endReply();
		return { ...end, answer: answer + rest };
	});
	assert.deepEqual(results[0], results[1], 'a reply says the same whole and letter by letter');
	return results[0];
}

describe('rounds of an agent that writes its actions', () => {
	it('act, get an observation, and answer', async () => {
		const { work, requests, reported, texts } = createAgentWork([
			{ text: 'Thought: look\nAction: {"action": "clock", "action_input": {"zone": "Oslo"}}\n' },
			{ text: 'Thought: I know\nFinalAnswer: It is noon.' },
		]);
		const { text } = await runAgentRounds(createAgentOrder([clock], react), work);
		assert.equal(text, 'It is noon.');
		assert.ok(texts.length > 2, 'the answer comes as it is written');
		assert.deepEqual(requests[0]?.stop, ['Observation']);
		assert.equal(requests[0]?.tools, undefined);
		assert.match(String(requests[0]?.messages[0]?.content), /Be brief\.[\s\S]*"name":"clock"/);
		const [scratchpad, goOn] = requests[1]?.messages.slice(-2) ?? [];
		assert.match(
			String(scratchpad?.content),
			/^Thought: look\n\nAction: \{"action":"clock","action_input":\{"zone":"Oslo"\}\}\n\nObservation: 12:00 in Oslo\n\n$/,
		);
		assert.equal(goOn?.content, 'continue');
		assert.deepEqual(
			reported.filter(({ status }) => status !== 'start').map(({ label }) => label),
			['m1 Thought', 'CALL clock', 'ROUND 1', 'm1 Thought', 'ROUND 2'],
		);
	});

	it('use text that is neither action nor answer as the answer', async () => {
		const { work } = createAgentWork([{ text: 'Thought: it is simply noon' }]);
		assert.equal((await runAgentRounds(createAgentOrder([clock], react), work)).text, 'it is simply noon');
	});

	it('report the limit if the last round acts, and return a final answer that is an action', async () => {
		const act = { text: 'Action: {"action": "clock", "action_input": {}}' };
		const limited = await runAgentRounds(createAgentOrder([clock], { ...react, maxRounds: 2 }), createAgentWork([act, act]).work);
		assert.match(limited.text, /^Maximum iteration limit \(2\) reached\. Cannot call tool 'clock'/);
		const final = createAgentWork([{ text: 'Action: {"action": "Final Answer", "action_input": "noon"}' }]);
		assert.equal((await runAgentRounds(createAgentOrder([clock], react), final.work)).text, 'noon');
	});

	it('report an unreadable action to the model, and ask again', async () => {
		const { work, requests } = createAgentWork([{ text: 'Thought: hm\nAction: ' }, { text: 'FinalAnswer: noon' }]);
		assert.equal((await runAgentRounds(createAgentOrder([clock], react), work)).text, 'noon');
		assert.match(String(requests[1]?.messages.at(-2)?.content), /The action could not be read/);
	});
});

describe('replies of an agent that writes its actions', () => {
	const action = { name: 'clock', input: { zone: 'Oslo' } };
	for (const [what, text] of [
		['as asked for', 'Thought: t\nAction: {"action": "clock", "action_input": {"zone": "Oslo"}}'],
		['in a code fence', 'Thought: t\nAction:\n```json\n{"action": "clock", "action_input": {"zone": "Oslo"}}\n```'],
		['in a code fence alone', 'Thought: t\n```json\n{"action": "clock", "action_input": {"zone": "Oslo"}}\n```'],
		['without Action:', 'Thought: t\n{"tool_name": "clock", "arguments": {"zone": "Oslo"}}'],
		['with Action Input:', 'Thought: t\nAction: clock\nAction Input: {"zone": "Oslo"}\nObservation: made up'],
		['in an envelope', 'Thought: t\nAction: {"tool_call": {"function": {"name": "clock", "arguments": {"zone": "Oslo"}}}}'],
		['as a list', 'Thought: t\nAction: [{"action": "clock", "action_input": {"zone": "Oslo"}}]'],
		['broken off', 'Thought: t\nAction: {"action": "clock", "action_input": {"zone": "Oslo"'],
		['in bold', 'Thought: t\n**Action:** {"action": "clock", "action_input": {"zone": "Oslo"}}'],
		['with an answer made up behind it', 'Thought: t\nAction: {"action": "clock", "action_input": {"zone": "Oslo"}}\nFinalAnswer: 13:00'],
		[
			'after thoughts in tags',
			'<think>Action: {"action": "x"}</think>Thought: t\nAction: {"action": "clock", "action_input": {"zone": "Oslo"}}',
		],
	] as const) {
		it(`act in this form: ${what}`, () => assert.deepEqual(parseReply(text), { thought: 't', action, answer: '', failed: false }));
	}

	it("don't act on JSON in the middle of a line, or after an answer", () => {
		assert.equal(parseReply('Thought: such as {"action": "x", "action_input": {}} would do')?.action, undefined);
		assert.deepEqual(parseReply('FinalAnswer: {"action": "x", "action_input": {}}'), {
			thought: '',
			action: undefined,
			answer: '{"action": "x", "action_input": {}}',
			failed: false,
		});
	});

	it('are parsed quickly, whatever they contain', () => {
		for (const text of [
			'{\n'.repeat(200_000),
			'Action:\n'.repeat(100_000),
			'\n'.repeat(500_000),
			'Action: "'.repeat(50_000),
			'<'.repeat(200_000),
		]) {
			const reply = new ReactReply();
			for (let at = 0; at < text.length; at += 16) {
				reply.push(text.slice(at, at + 16));
			}
			reply.endReply();
		}
	});
});
