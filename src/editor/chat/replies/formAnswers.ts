import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import type { FormAnswerMessage } from '#runs/forms/formAnswer.ts';
import { submittedInputs } from '#runs/forms/formAnswer.ts';
import { type FormRefusal, formRefusal, notAnswerableProblem } from '#runs/forms/formOutcome.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { Chat } from '../transcripts/chat.ts';

/** A form of a chat that waits for its answer, and whom it is answered to. */
export interface WaitingForm {
	readonly turn: Turn;
	/** Its place among the turn's parts. */
	readonly index: number;
	readonly form: RunForm;
	readonly connection: Connection;
	readonly model: string;
	readonly user: string;
}

/** The form of a turn that waits, with the connection and the agent that the turn's reply came from. Rejects where that connection is gone. */
export function waitingForm(
	chat: Chat,
	turnId: string,
	formId: string,
	connections: Connections,
	words: Localization,
): WaitingForm | undefined {
	const turn = chat.turn(turnId);
	const index = turn?.parts.findIndex(part => isOpenForm(part) && part.form.id === formId) ?? -1;
	const part = turn?.parts[index];
	if (!turn?.reply || part?.kind !== 'form') {
		return undefined;
	}
	const { connection: name, model } = turn.reply;
	const connection = connections.list().find(each => each.name === name);
	if (!connection) {
		throw new Problem('unknown-connection', words.t('The connection “{0}”, which this form came from, is gone.', name));
	}
	return { turn, index, form: part.form, connection, model, user: chat.transcript.user || connection.user };
}

/** Whether a part is a form that nobody has answered yet. */
export function isOpenForm(part: ChatPart): part is Extract<ChatPart, { kind: 'form' }> {
	return part.kind === 'form' && part.answer === undefined;
}

/** Sends an answer. Returns why it was not taken, or nothing. */
export async function sendAnswer(
	client: Pick<ServiceClient, 'submitForm'>,
	{ form, model, user }: WaitingForm,
	answer: FormAnswerMessage,
	words: Localization,
	explain: (error: unknown) => unknown,
): Promise<FormRefusal | undefined> {
	if (form.token === undefined) {
		throw notAnswerableProblem(words, form.title);
	}
	try {
		await client.submitForm(form.token, { model, inputs: submittedInputs(form, answer), action: answer.action, user });
		return undefined;
	} catch (error) {
		return formRefusal(words, error, explain);
	}
}
