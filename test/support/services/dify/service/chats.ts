import { randomUUID } from 'node:crypto';
import type { FakeRun } from '../runs/fakeRun.ts';
import type { FakeApp, Fields } from '../state.ts';
import { AgentChats } from './agentChats.ts';

export interface FakeConversation {
	readonly id: string;
	readonly app: FakeApp;
	readonly user: string;
	readonly inputs: Fields;
	name: string;
	readonly createdAt: number;
	updatedAt: number;
	/** Variables in the form of `GET /conversations/{id}/variables`. */
	readonly variables: Fields[];
}

/** Data of end users: conversations, feedback, annotations. */
export class Chats {
	#conversations: FakeConversation[] = [];
	readonly agents = new AgentChats();
	readonly feedbacks: Fields[] = [];
	annotations: Fields[] = [];
	/** Suggested questions after each reply; `undefined` if the app has them disabled. */
	suggested: string[] | undefined = ['And then?'];
	/** Settings of apps in the form of `GET /parameters`. */
	parameters: Fields = {
		opening_statement: '',
		suggested_questions: [],
		user_input_form: [],
		file_upload: { enabled: false },
		suggested_questions_after_answer: { enabled: true },
		speech_to_text: { enabled: true },
		text_to_speech: { enabled: true, voice: 'alloy', language: 'en-US', autoPlay: 'disabled' },
		retriever_resource: { enabled: true },
		annotation_reply: { enabled: false },
		system_parameters: {},
	};
	/** End users of earlier requests, by ID. */
	readonly endUsers = new Map<string, Fields>();
	/** Uploaded files by ID. */
	readonly uploads = new Map<string, { readonly app: FakeApp | undefined; readonly data: Buffer; readonly type: string }>();

	isFeatureEnabled(feature: string): boolean {
		return (this.parameters[feature] as { enabled?: boolean } | undefined)?.enabled === true;
	}

	/** Returns the ID of an app's end user, and registers the user. */
	registerEndUser(app: FakeApp | undefined, user: string, now: number): string {
		const known = [...this.endUsers.values()].find(each => each['app_id'] === app?.id && each['external_user_id'] === user);
		const at = new Date(now * 1000).toISOString();
		const made = known ?? {
			id: randomUUID(),
			tenant_id: app?.workspaceId,
			app_id: app?.id,
			type: 'service-api',
			external_user_id: user,
			name: null,
			is_anonymous: false,
			session_id: user,
			created_at: at,
			updated_at: at,
		};
		this.endUsers.set(String(made['id']), made);
		return String(made['id']);
	}

	/** Adds a conversation unless it exists, for a turn of an app without a graph. */
	addConversation(of: Omit<FakeConversation, 'name' | 'updatedAt' | 'variables'>): void {
		if (!this.#conversations.some(({ id }) => id === of.id)) {
			this.#conversations.push({ ...of, name: 'New conversation', updatedAt: of.createdAt, variables: [] });
		}
	}

	listConversations(app: FakeApp | undefined, user: string): readonly FakeConversation[] {
		return this.#conversations.filter(each => each.app.id === app?.id && each.user === user);
	}

	/** Starts a turn of a new or existing conversation. */
	startTurn(run: FakeRun): void {
		const there = this.#conversations.find(each => each.id === run.conversationId);
		if (there) {
			there.updatedAt = run.createdAt;
			return;
		}
		this.#conversations.push({
			id: run.conversationId,
			app: run.app,
			user: run.user ?? '',
			inputs: run.inputs,
			name: 'New conversation',
			createdAt: run.createdAt,
			updatedAt: run.createdAt,
			variables: run.workflow.conversation.map(({ name, value_type, value, description }) => ({
				id: randomUUID(),
				name,
				value_type,
				value,
				description,
				created_at: Math.floor(run.createdAt),
				updated_at: Math.floor(run.createdAt),
			})),
		});
	}

	removeConversation(id: string): void {
		this.#conversations = this.#conversations.filter(each => each.id !== id);
	}
}
