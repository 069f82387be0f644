import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import { isReplyFrom } from '#pages/chat/transcript/replyOrigin.ts';
import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import type { FormAnswerMessage } from '#runs/forms/formAnswer.ts';
import { toSubmittedInputs } from '#runs/forms/formAnswer.ts';
import { createNotAnswerableProblem, explainFormRefusal, type FormRefusal } from '#runs/forms/formOutcome.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { Chat } from '../transcripts/chat.ts';

/** A form in a chat that waits for an answer, and where to send the answer. */
export interface WaitingForm {
	readonly turn: Turn;
	/** Index of the form in the turn's parts. */
	readonly index: number;
	readonly form: RunForm;
	readonly connection: Connection;
	readonly model: string;
	readonly user: string;
}

/** Finds a turn's waiting form and the target of its answer. Throws a {@link Problem} if the reply's connection was removed. */
export function findWaitingForm(
	chat: Chat,
	turnId: string,
	formId: string,
	connections: Connections,
	words: Localization,
): WaitingForm | undefined {
	const turn = chat.getTurn(turnId);
	const index = turn?.parts.findIndex(part => isUnansweredForm(part) && part.form.id === formId) ?? -1;
	const part = turn?.parts[index];
	if (!turn?.reply || part?.kind !== 'form') {
		return undefined;
	}
	const { reply } = turn;
	const connection = connections.list().find(each => isReplyFrom(reply, each));
	if (!connection) {
		throw new Problem('unknown-connection', words.t("Connection '{0}' of this form no longer exists.", reply.connection));
	}
	return { turn, index, form: part.form, connection, model: reply.model, user: chat.transcript.user || connection.user };
}

/** True if the part is a form without an answer. */
export function isUnansweredForm(part: ChatPart): part is Extract<ChatPart, { kind: 'form' }> {
	return part.kind === 'form' && part.answer === undefined;
}

/** Sends an answer. Returns why it was refused, or undefined if it was accepted. */
export async function sendFormAnswer(
	client: Pick<ServiceClient, 'submitForm'>,
	{ form, model, user }: WaitingForm,
	answer: FormAnswerMessage,
	words: Localization,
	explain: (error: unknown) => unknown,
): Promise<FormRefusal | undefined> {
	if (form.token === undefined) {
		throw createNotAnswerableProblem(words, form.title);
	}
	try {
		await client.submitForm(form.token, { model, inputs: toSubmittedInputs(form, answer), action: answer.action, user });
		return undefined;
	} catch (error) {
		return explainFormRefusal(words, error, explain);
	}
}
