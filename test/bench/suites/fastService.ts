// A service that answers each run immediately: prints its address as JSON and runs until it is killed.
import http from 'node:http';
import { getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

const outputs = { text: 'an output of a few words' };
const server = http.createServer((request, response) => {
	request.resume().on('end', () => {
		const formatEvent = (event: string, data: object) => `data: ${JSON.stringify({ event, task_id: 't', workflow_run_id: 'r', data })}\n\n`;
		const node = {
			id: 'e',
			node_id: 'work',
			node_type: 'code',
			title: 'Work',
			index: 1,
			predecessor_node_id: null,
			inputs: {},
			created_at: 1,
		};
		const run = { id: 'r', workflow_id: 'w', created_at: 1 };
		const ended = { status: 'succeeded', outputs, error: null, elapsed_time: 0.01 };
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(
			formatEvent('workflow_started', run) +
				formatEvent('node_started', node) +
				formatEvent('node_finished', { ...node, ...ended, process_data: null, execution_metadata: null }) +
				formatEvent('workflow_finished', { ...run, ...ended, total_tokens: 0, total_steps: 1, finished_at: 2 }),
		);
	});
});
await listenOnLoopback(server);
console.log(JSON.stringify({ url: getServerUrl(server) }));
