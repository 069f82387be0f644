import { randomUUID } from 'node:crypto';
import type { FakeRun } from '../runs/fakeRun.ts';
import type { FakeApp, Fields } from '../state.ts';

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
	readonly feedbacks: Fields[] = [];
	annotations: Fields[] = [];
	/** Questions that are suggested after each answer; `undefined`: the app has them off. */
	suggested: string[] | undefined = ['And then?'];

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
