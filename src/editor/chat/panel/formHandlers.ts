import * as vscode from 'vscode';
import { getErrorMessage, isCancellation } from '#base/problems.ts';
import { chooseFormFiles } from '../../runs/forms/formFiles.ts';
import { findWaitingForm } from '../replies/formAnswers.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { HandlerParts, MessageHandlers, MessageOf } from './messageHandlers.ts';

/** Creates the handlers of messages about forms in replies and about the input form of the chat's agent. */
export function createFormHandlers(parts: HandlerParts): MessageHandlers<'answerForm' | 'chooseFormFiles' | 'chooseInputFiles'> {
	return {
		answerForm: async (panel, { turn, form, action, values }) => {
			const refusal = await showErrorsInForm(panel, form, () => parts.replies.answerForm(panel.chat, turn, form, { action, values }));
			if (refusal) {
				panel.post({ type: 'formProblem', form, ...refusal });
			}
		},
		chooseFormFiles: (panel, message) => chooseFilesForForm(parts, panel, message),
		chooseInputFiles: (panel, message) => chooseFilesForInput(parts, panel, message),
	};
}

async function chooseFilesForForm(
	{ connections }: HandlerParts,
	panel: ChatPanel,
	{ turn, form, field, from }: MessageOf<'chooseFormFiles'>,
): Promise<void> {
	const files = await showErrorsInForm(panel, form, async () => {
		const waiting = findWaitingForm(panel.chat, turn, form, connections, vscode.l10n);
		const wanted = waiting?.form.inputs.find(({ name }) => name === field);
		if (!waiting || !wanted) {
			return [];
		}
		const { connection, user, model } = waiting;
		return chooseFormFiles(wanted, from, async file => (await connections.getClient(connection.id)).uploadFile(file, { user, model }));
	});
	if (files && files.length > 0) {
		panel.post({ type: 'formFiles', form, field, files });
	}
}

async function chooseFilesForInput(
	{ connections, targets, openings }: HandlerParts,
	panel: ChatPanel,
	{ field: name, from }: MessageOf<'chooseInputFiles'>,
): Promise<void> {
	const { transcript } = panel.chat;
	const field = openings.getInputFields(panel.chat)?.find(each => each.name === name);
	if (!field) {
		return;
	}
	const { id, user } = targets.getConnection(transcript);
	try {
		const files = await chooseFormFiles(field, from, async file =>
			(await connections.getClient(id)).uploadFile(file, { user, model: transcript.models.agent ?? '' }),
		);
		panel.post({ type: 'inputFiles', field: name, files });
	} catch (error) {
		throw connections.toProblem(id, error);
	}
}

/** Runs `act` and shows its errors in the form. */
async function showErrorsInForm<T>(panel: ChatPanel, form: string, act: () => Promise<T>): Promise<T | undefined> {
	try {
		return await act();
	} catch (error) {
		const problem = isCancellation(error) ? '' : getErrorMessage(error);
		panel.post({ type: 'formProblem', form, problem, closed: false });
		return undefined;
	}
}
