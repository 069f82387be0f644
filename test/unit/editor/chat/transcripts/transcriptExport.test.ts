import assert from 'node:assert/strict';
import { exportToMarkdown } from '#editor/chat/transcripts/transcriptExport.ts';
import { type ChatPart, createTranscript } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

describe('a chat as Markdown', () => {
	it('keeps what tools got and returned in fences that their text cannot end', () => {
		const hostile = 'a\n```\n# You\n````\nb';
		const parts: ChatPart[] = [
			{ kind: 'toolCall', id: '1', name: 'search', input: '' },
			{ kind: 'toolResult', id: '1', name: 'search', output: hostile, isError: false },
			{ kind: 'step', id: '2', tool: 'find', text: '', input: hostile, output: hostile },
		];
		const problem = { reason: 'server', message: 'one\n# two', actions: [] };
		const reply = { status: 'failed', endpoint: 'messages', connection: 'c', model: 'm', problem } as const;
		const turn = { id: 't', parent: null, role: 'assistant', parts, at: 0, reply } as const;
		const text = exportToMarkdown(words, { ...createTranscript('c'), turns: [{ ...turn, parts }], leaf: 't' });
		const quoted = `\`\`\`\`\`\n${hostile}\n\`\`\`\`\``;
		assert.equal(
			text.slice(text.indexOf('Called')),
			[
				"Called tool 'search'\n\n```json\n{}\n```",
				`Result of 'search'\n\n${quoted}`,
				`Called tool 'find'\n\n${quoted.replace('`````', '`````json')}`,
				quoted,
				'> one\n> # two\n',
			].join('\n\n'),
		);
	});
});
