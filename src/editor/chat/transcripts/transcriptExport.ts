import type { Localization } from '#base/text/localization.ts';
import type { ChatPart, Transcript, Turn } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import { quoteDocument, quoteFile } from '../endpoints/endpoint.ts';

/** Exports a chat with all branches as JSON for {@link parseTranscript}. Drops the attachments of the unsent message. */
export function exportToJson(transcript: Transcript): string {
	// don't share the tokens that allow answering the forms
	const turns = transcript.turns.map(turn => ({ ...turn, parts: turn.parts.map(removeToken) }));
	return `${JSON.stringify({ ...transcript, turns, attachments: [] }, null, '\t')}\n`;
}

function removeToken(part: ChatPart): ChatPart {
	if (part.kind !== 'form') {
		return part;
	}
	const { token: _, ...form } = part.form;
	return { ...part, form };
}

/** Exports the shown branch as Markdown. Names images instead of including them. */
export function exportToMarkdown(words: Localization, transcript: Transcript): string {
	const title = transcript.title || words.t('Chat');
	const system = transcript.system.trim() ? [`> ${words.t('System prompt: {0}', transcript.system.trim()).replaceAll('\n', '\n> ')}`] : [];
	const turns = getActivePath(transcript).map(turn => `## ${getSpeaker(words, turn)}\n\n${formatTurnBody(words, turn)}`);
	return `${[`# ${title}`, ...system, ...turns].join('\n\n')}\n`;
}

function getSpeaker(words: Localization, turn: Turn): string {
	return turn.role === 'user' ? words.t('You') : turn.reply?.model || words.t('Assistant');
}

function formatTurnBody(words: Localization, turn: Turn): string {
	const parts = turn.parts.flatMap(part => formatPart(words, part));
	const problem = turn.reply?.problem;
	return [...parts, ...(problem ? [`> ${problem.message.replaceAll('\n', '\n> ')}`] : [])].join('\n\n');
}

function formatPart(words: Localization, part: ChatPart): string[] {
	switch (part.kind) {
		case 'text':
			return [part.text, ...(part.citations ?? []).map(({ title, url }) => (url ? `- [${title}](${url})` : `- ${title}`))];
		case 'thinking':
			return part.text ? [`<details><summary>${words.t('Thinking')}</summary>\n\n${part.text}\n\n</details>`] : [];
		case 'file':
			return [quoteFile(part)];
		case 'document':
			return [part.text ? quoteDocument(part) : words.t('(Document: {0})', part.name)];
		case 'image':
			return [words.t('(Image: {0})', part.name)];
		case 'audio':
			return [words.t('(Audio: {0})', part.mimeType)];
		case 'toolCall':
			return [quoteText(words.t("Called tool '{0}'", part.name), part.input || '{}', 'json')];
		case 'toolResult':
			return [quoteText(words.t("Result of '{0}'", part.name), part.output)];
		case 'stored':
			return [part.type === 'image' ? words.t('(Image: {0})', part.name) : words.t('(Document: {0})', part.name)];
		case 'step':
			return [quoteText(words.t("Called tool '{0}'", part.tool), part.input || '{}', 'json'), quoteText('', part.output).trimStart()];
		case 'form':
			return [`**${part.form.title}**\n\n${part.form.content}`, ...(part.answer ? [`> ${part.answer}`] : [])];
		case 'other':
			return [words.t("(Content of type '{0}')", part.type)];
	}
}

/** Quotes a text below a line, in a fence that the text can't end. */
function quoteText(line: string, text: string, language = ''): string {
	return `${line}\n${quoteFile({ name: '', language, text })}`;
}
