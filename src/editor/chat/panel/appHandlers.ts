import { getErrorMessage } from '#base/problems.ts';
import type { AppActions } from '../apps/appActions.ts';
import type { MessageHandlers } from './messageHandlers.ts';

type AppMessage = 'rate' | 'comment' | 'speak' | 'listen' | 'openStored' | 'showStored' | 'saveAnnotation';

/** Creates the handlers of messages about the features of Dify apps. */
export function createAppHandlers(apps: AppActions): MessageHandlers<AppMessage> {
	return {
		rate: ({ chat }, { turn, rating }) => apps.rateReply(chat, turn, rating),
		comment: (panel, { turn }) => panel.returnFocus(apps.editComment(panel.chat, turn)),
		speak: async (panel, { turn }) => {
			try {
				panel.post({ type: 'spoken', turn, speech: await apps.fetchSpeech(panel.chat, turn) });
			} catch (error) {
				panel.post({ type: 'spoken', turn });
				throw error;
			}
		},
		listen: async panel => {
			const text = await apps.transcribeFile(panel.chat);
			if (text !== undefined) {
				panel.post({ type: 'heard', text });
			}
		},
		openStored: ({ chat }, { turn, id }) => apps.saveFile(chat, turn, id),
		showStored: ({ chat }, { turn, id }) => apps.showPicture(chat, turn, id),
		saveAnnotation: async (panel, { id, question, answer }) => {
			try {
				await apps.saveAnnotation(panel.chat, id, { question, answer });
				panel.post({ type: 'annotationSaved' });
			} catch (error) {
				panel.post({ type: 'annotationSaved', problem: getErrorMessage(error) });
			}
		},
	};
}
