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
	/** As `GET /conversations/{id}/variables` says them. */
	readonly variables: Fields[];
}

/** What end users left behind: conversations, feedback, annotations. */
export class Chats {
	#conversations: FakeConversation[] = [];
	readonly agents = new AgentChats();
	readonly feedbacks: Fields[] = [];
	annotations: Fields[] = [];
	/** Questions that are suggested after each answer; `undefined`: the app has them off. */
	suggested: string[] | undefined = ['And then?'];
	/** What apps are set to do, as `GET /parameters` says it. */
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
	/** End users who asked, by their IDs. */
	readonly endUsers = new Map<string, Fields>();
	/** What was uploaded, by its ID. */
	readonly uploads = new Map<string, { readonly app: FakeApp | undefined; readonly data: Buffer; readonly type: string }>();

	isOn(feature: string): boolean {
		return (this.parameters[feature] as { enabled?: boolean } | undefined)?.enabled === true;
	}

	/** The ID of an end user of an app, who is known from then on. */
	endUser(app: FakeApp | undefined, user: string, now: number): string {
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

	/** A turn of an app without a graph begins. */
	begun(of: Omit<FakeConversation, 'name' | 'updatedAt' | 'variables'>): void {
		if (!this.#conversations.some(({ id }) => id === of.id)) {
			this.#conversations.push({ ...of, name: 'New conversation', updatedAt: of.createdAt, variables: [] });
		}
	}

	of(app: FakeApp | undefined, user: string): readonly FakeConversation[] {
		return this.#conversations.filter(each => each.app.id === app?.id && each.user === user);
	}

	/** A turn begins: of a new conversation or of one that is there. */
	begin(run: FakeRun): void {
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

	remove(id: string): void {
		this.#conversations = this.#conversations.filter(each => each.id !== id);
	}
}
