import type { Fields } from '../state.ts';
import { type FakeForm, type FakeRun, isChatRun } from './fakeRun.ts';

/** Creates an event with the fields that all events of its run have. */
export function createRunEvent(run: FakeRun, event: string, data: Fields): Fields {
	const chat = isChatRun(run)
		? { conversation_id: run.conversationId, message_id: run.messageId, created_at: Math.floor(run.createdAt) }
		: {};
	return { event, ...chat, task_id: run.taskId, workflow_run_id: run.id, data };
}

export function createStartedEvent(run: FakeRun, reason: 'initial' | 'resumption'): Fields {
	const inputs = { ...run.inputs, ...(run.query === undefined ? {} : { 'sys.query': run.query }), 'sys.workflow_run_id': run.id };
	return createRunEvent(run, 'workflow_started', {
		id: run.id,
		workflow_id: run.workflow.id,
		inputs,
		created_at: Math.floor(run.createdAt),
		reason,
	});
}

export function createFinishedEvent(run: FakeRun): Fields {
	const { id, workflow, status, outputs, error, tokens, executions, exceptions } = run;
	return createRunEvent(run, 'workflow_finished', {
		id,
		workflow_id: workflow.id,
		status,
		outputs,
		error,
		elapsed_time: getElapsedTime(run),
		total_tokens: tokens,
		total_steps: executions.length,
		created_by: { id: run.app.id, user: run.user ?? 'Ana' },
		created_at: Math.floor(run.createdAt),
		finished_at: Math.floor(run.finishedAt ?? run.createdAt),
		exceptions_count: exceptions,
		files: [],
	});
}

/** Creates an event with a chunk of a chat's reply. */
export function createMessageEvent(run: FakeRun, answer: string, nodeId: string): Fields {
	const { conversationId, messageId, taskId, createdAt } = run;
	return {
		event: 'message',
		conversation_id: conversationId,
		message_id: messageId,
		created_at: Math.floor(createdAt),
		task_id: taskId,
		id: messageId,
		answer,
		from_variable_selector: [nodeId, 'answer'],
	};
}

export function createMessageEndEvent(run: FakeRun): Fields {
	const { conversationId, messageId, taskId, createdAt, tokens } = run;
	return {
		event: 'message_end',
		conversation_id: conversationId,
		message_id: messageId,
		created_at: Math.floor(createdAt),
		task_id: taskId,
		id: messageId,
		metadata: {
			annotation_reply: null,
			retriever_resources: [],
			usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens, total_price: '0', currency: 'USD' },
		},
		files: [],
	};
}

/** Returns the event fields of a form. */
export function createFormEvent(run: FakeRun, form: FakeForm): Fields {
	return createRunEvent(run, 'human_input_required', {
		form_id: form.id,
		node_id: form.node.id,
		node_title: form.node.data.title ?? '',
		form_content: form.content,
		inputs: form.node.data['inputs'] ?? [],
		actions: form.node.data['user_actions'] ?? [],
		display_in_ui: true,
		form_token: form.token,
		resolved_default_values: {},
		expiration_time: Math.floor(form.expiresAt),
	});
}

export function createPausedEvent(run: FakeRun, form: FakeForm): Fields {
	return createRunEvent(run, 'workflow_paused', {
		workflow_run_id: run.id,
		paused_nodes: [form.node.id],
		outputs: {},
		reasons: [
			{
				TYPE: 'human_input_required',
				form_id: form.id,
				node_id: form.node.id,
				node_title: form.node.data.title ?? '',
				form_token: form.token,
			},
		],
		status: 'paused',
		created_at: Math.floor(run.createdAt),
		elapsed_time: getElapsedTime(run),
		total_tokens: run.tokens,
		total_steps: run.executions.length,
	});
}

export function createFilledEvent(run: FakeRun, form: FakeForm): Fields {
	const action = form.answer?.action ?? '';
	const actions = (form.node.data['user_actions'] ?? []) as { id: string; title: string }[];
	return createRunEvent(run, 'human_input_form_filled', {
		node_id: form.node.id,
		node_title: form.node.data.title ?? '',
		rendered_content: form.content,
		action_id: action,
		action_text: actions.find(each => each.id === action)?.title ?? action,
		submitted_data: form.answer?.inputs ?? {},
	});
}

/** Returns the run's duration in seconds by the deployment's clock. */
export function getElapsedTime(run: FakeRun): number {
	return run.finishedAt === undefined ? 0 : Math.max(0, run.finishedAt - run.createdAt);
}
