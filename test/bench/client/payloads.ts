/** Realistic payloads of the measured services, with texts of one token each. */

const words = ['The', ' run', ' took', ' four', ' steps', ' and', ' ended', ' well'];

const message = {
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: 'm',
	content: [],
	stop_reason: null,
	stop_sequence: null,
	usage: { input_tokens: 9, output_tokens: 1 },
};

export const messageReply = JSON.stringify({
	...message,
	content: [{ type: 'text', text: 'The run took four steps.' }],
	stop_reason: 'end_turn',
});

export const contentReply = JSON.stringify({
	candidates: [{ content: { role: 'model', parts: [{ text: 'The run took four steps.' }] }, finishReason: 'STOP', index: 0 }],
	usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 6, totalTokenCount: 15 },
	modelVersion: 'm',
});

/** Creates a Messages reply (C1) with `count` text events of about 125 bytes. */
export function createMessagesStream(count: number): Buffer {
	const events: { type: string }[] = [
		Object.assign({ type: 'message_start' }, { message }),
		Object.assign({ type: 'content_block_start' }, { index: 0, content_block: { type: 'text', text: '' } }),
	];
	for (let i = 0; i < count; i++) {
		events.push(Object.assign({ type: 'content_block_delta' }, { index: 0, delta: { type: 'text_delta', text: words[i % words.length] } }));
	}
	events.push(
		Object.assign({ type: 'content_block_stop' }, { index: 0 }),
		Object.assign({ type: 'message_delta' }, { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: count } }),
		{ type: 'message_stop' },
	);
	return Buffer.from(events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

/** Creates a Generate Content reply (E2) with `count` chunks. */
export function createContentStream(count: number): Buffer {
	const chunks = Array.from({ length: count }, (_, i) => ({
		candidates: [
			{
				content: { role: 'model', parts: [{ text: words[i % words.length] }] },
				...(i === count - 1 && { finishReason: 'STOP' }),
				index: 0,
			},
		],
		modelVersion: 'm',
	}));
	return Buffer.from(chunks.map(chunk => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''));
}

/** Creates the stream of a workflow run (A1) with `count` node events of 4 KB each. */
export function createWorkflowStream(count: number): Buffer {
	const run = { task_id: 'task-1', workflow_run_id: 'run-1' };
	const text = 'In the course of the run the node wrote a line like this one. '.repeat(60);
	const events = [{ event: 'workflow_started', ...run, data: { id: 'run-1', workflow_id: 'w-1', created_at: 1705407629 } as object }];
	for (let i = 0; i < count; i++) {
		const node = { id: `n-${i}`, node_id: `node-${i}`, node_type: 'llm', title: `Node ${i}`, index: i + 1, predecessor_node_id: null };
		const result = {
			outputs: { text },
			status: 'succeeded',
			error: null,
			elapsed_time: 0.324,
			execution_metadata: { total_tokens: 63, currency: 'USD' },
		};
		events.push({ event: 'node_finished', ...run, data: { ...node, inputs: {}, process_data: null, ...result, created_at: 1705407629 } });
	}
	const outcome = { status: 'succeeded', outputs: { text: 'done' }, error: null, elapsed_time: 1.2, total_tokens: 63, total_steps: count };
	events.push({
		event: 'workflow_finished',
		...run,
		data: { id: 'run-1', workflow_id: 'w-1', ...outcome, created_at: 1705407629, finished_at: 1705407631 },
	});
	return Buffer.from(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
}
