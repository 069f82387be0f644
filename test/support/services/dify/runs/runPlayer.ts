import { randomUUID } from 'node:crypto';
import type { DifyDeployment } from '../difyDeployment.ts';
import type { FakeNode, Fields } from '../state.ts';
import { createExecution } from './executions.ts';
import { type FakeForm, type FakeRun, isChatRun } from './fakeRun.ts';
import { fillReferences, simulateNodeOutputs } from './nodeOutputs.ts';
import {
	createFilledEvent,
	createFinishedEvent,
	createFormEvent,
	createMessageEndEvent,
	createMessageEvent,
	createPausedEvent,
	createRunEvent,
	createStartedEvent,
} from './runEvents.ts';

/** Controls how nodes run, by node ID. A test sets the values. */
export class Play {
	/** Nodes that fail, with their errors. */
	readonly failing = new Map<string, string>();
	/** Output handle that a branching node chooses; by default the handle of its first edge. */
	readonly branch = new Map<string, string>();
	/** Nodes before which a run waits until the promise resolves or the run is stopped. */
	readonly held = new Map<string, Promise<unknown>>();
}

/** Runs a graph from node to node along its edges until it finishes, even without a listener. */
export async function simulateRun(fake: DifyDeployment, run: FakeRun): Promise<void> {
	run.events.addEvents(createStartedEvent(run, 'initial'));
	const { nodes, edges } = run.workflow.graph;
	const first = nodes.find(({ data }) => data.type === 'start' || data.type?.startsWith('trigger-'));
	const waiting = first ? [first] : [];
	const seen = new Set<string>();
	let before: string | null = null;
	while (waiting.length > 0 && run.status === 'running') {
		const node = waiting.shift() as FakeNode;
		if (seen.has(node.id)) {
			continue;
		}
		seen.add(node.id);
		const way = await simulateNode(fake, run, node, before);
		before = node.id;
		const outs = edges.filter(edge => edge.source === node.id);
		const taken = way ?? fake.play.branch.get(node.id) ?? outs[0]?.sourceHandle;
		const next = outs
			.filter(edge => (edge.sourceHandle ?? 'source') === (taken ?? 'source'))
			.map(edge => nodes.find(each => each.id === edge.target));
		waiting.push(...next.filter(each => each !== undefined));
	}
	finishRun(fake, run);
}

/** Stops a running run; does nothing if it has finished. */
export function stopRun(run: FakeRun): void {
	if (run.status === 'running' || run.status === 'paused') {
		run.status = 'stopped';
		run.error = 'Stopped by user.';
		run.wake?.();
	}
}

/** Runs a node. Resolves with the output handle if the node branches. */
async function simulateNode(fake: DifyDeployment, run: FakeRun, node: FakeNode, before: string | null): Promise<string | undefined> {
	const held = fake.play.held.get(node.id);
	if (held) {
		await Promise.race([held, new Promise<void>(resolve => (run.wake = resolve))]);
	}
	if (run.status !== 'running') {
		return undefined;
	}
	const step = createExecution(fake, run, node, before);
	run.events.addEvents(createRunEvent(run, 'node_started', step.started));
	if (node.data.type === 'human-input') {
		return await pauseForForm(fake, run, node, step);
	}
	const failure = fake.play.failing.get(node.id);
	const { inputs, outputs, tokens } = simulateNodeOutputs(node, run.pool, run.inputs);
	run.tokens += failure === undefined ? tokens : 0;
	const handled = failure !== undefined && typeof node.data['error_strategy'] === 'string';
	const status = failure === undefined ? 'succeeded' : handled ? 'exception' : 'failed';
	recordNodeEnd(
		fake,
		run,
		node,
		step.finished({ status, error: failure ?? null, inputs, outputs: failure === undefined ? outputs : null, tokens }),
	);
	if (failure !== undefined) {
		run.exceptions += 1;
		if (!handled) {
			run.status = 'failed';
			run.error = failure;
		}
		return 'fail-branch';
	}
	if (node.data.type === 'answer') {
		run.answer += String(outputs['answer']);
		run.events.addEvents(createMessageEvent(run, String(outputs['answer']), node.id));
	} else if (node.data.type === 'end') {
		run.outputs = { ...run.outputs, ...outputs };
	} else if (node.data.type === 'llm' && !isChatRun(run)) {
		run.events.addEvents(createRunEvent(run, 'text_chunk', { text: String(outputs['text']), from_variable_selector: [node.id, 'text'] }));
	}
	return undefined;
}

async function pauseForForm(
	fake: DifyDeployment,
	run: FakeRun,
	node: FakeNode,
	step: ReturnType<typeof createExecution>,
): Promise<string | undefined> {
	const hours = Number(node.data['timeout'] ?? 3) * (node.data['timeout_unit'] === 'hour' ? 1 : 24);
	const form: FakeForm = {
		id: randomUUID(),
		token: fake.createSecret(''),
		node,
		run,
		content: fillReferences(String(node.data['form_content'] ?? ''), run.pool),
		expiresAt: fake.getTime() + hours * 3600,
		answer: undefined,
	};
	run.forms.push(form);
	const woken = new Promise<void>(resolve => (run.wake = resolve));
	run.status = 'paused';
	run.events.addEvents(createFormEvent(run, form), createPausedEvent(run, form));
	await woken;
	if (form.answer === undefined) {
		return undefined;
	}
	run.status = 'running';
	const outputs = { ...form.answer.inputs, __action_id: form.answer.action, __rendered_content: form.content };
	run.events.addEvents(
		createStartedEvent(run, 'resumption'),
		createFilledEvent(run, form),
		createRunEvent(run, 'node_started', step.started),
	);
	recordNodeEnd(fake, run, node, step.finished({ status: 'succeeded', error: null, inputs: {}, outputs, tokens: 0 }));
	return form.answer.action;
}

function recordNodeEnd(fake: DifyDeployment, run: FakeRun, node: FakeNode, finished: Fields): void {
	run.executions.push(finished);
	for (const [name, value] of Object.entries((finished['outputs'] ?? {}) as Fields)) {
		run.pool.set(`${node.id}.${name}`, value);
	}
	if (run.triggeredFrom === 'debugging') {
		fake.drafts.saveExecution(run.app, node.id, finished);
	}
	run.events.addEvents(createRunEvent(run, 'node_finished', finished));
}

function finishRun(fake: DifyDeployment, run: FakeRun): void {
	if (run.status === 'running') {
		run.status = run.exceptions > 0 ? 'partial-succeeded' : 'succeeded';
	}
	run.finishedAt = fake.getTime();
	if (isChatRun(run)) {
		run.outputs = { answer: run.answer };
	}
	run.events.addEvents(createFinishedEvent(run));
	if (isChatRun(run) && run.status !== 'failed') {
		run.events.addEvents(createMessageEndEvent(run));
	} else if (isChatRun(run)) {
		run.events.addEvents({ event: 'error', message_id: run.messageId, status: 400, code: 'invalid_param', message: run.error });
	}
	run.events.endLog();
}
