import { randomUUID } from 'node:crypto';
import { type Exchange, getBodyText, getQueryInteger, Refusal, Reply, type Route } from '../exchange.ts';
import type { Fields } from '../state.ts';
import { getAppOfKind, getRequestUser } from './serviceSurface.ts';

const audioTypes = ['audio/mp3', 'audio/m4a', 'audio/wav', 'audio/amr', 'audio/mpga', 'audio/mpeg', 'audio/webm', 'audio/x-wav'];

/** Routes of app details, and of features that came later: feedback, suggested questions, annotations, audio, end users and files. */
export const serviceMore: readonly Route[] = [
	{
		method: 'GET',
		path: '/info',
		handle: ({ app }) => ({ name: app?.name, description: app?.description, tags: [], mode: app?.mode, author_name: 'Ana' }),
	},
	{
		method: 'GET',
		path: '/parameters',
		handle: ({ fake }) => fake.chats.parameters,
	},
	{ method: 'POST', path: '/messages/{message}/feedbacks', handle: setFeedback },
	{
		method: 'GET',
		path: '/app/feedbacks',
		handle: exchange => {
			const page = getQueryInteger(exchange, 'page', { usual: 1, most: 99_999 }, [400, 'invalid_param']);
			const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 101 }, [400, 'invalid_param']);
			return { data: exchange.fake.chats.feedbacks.slice((page - 1) * limit, page * limit) };
		},
	},
	{ method: 'GET', path: '/messages/{message}/suggested', handle: getSuggestedQuestions },
	{ method: 'GET', path: '/apps/annotations', handle: listAnnotations },
	{
		method: 'POST',
		path: '/apps/annotations',
		handle: exchange => {
			const annotation = { id: randomUUID(), ...readAnnotation(exchange), hit_count: 0, created_at: Math.floor(exchange.fake.getTime()) };
			exchange.fake.chats.annotations.push(annotation);
			return new Reply(201, annotation);
		},
	},
	{
		method: 'PUT',
		path: '/apps/annotations/{annotation}',
		handle: exchange => Object.assign(findAnnotation(exchange), readAnnotation(exchange)),
	},
	{
		method: 'DELETE',
		path: '/apps/annotations/{annotation}',
		handle: exchange => {
			const gone = findAnnotation(exchange);
			exchange.fake.chats.annotations = exchange.fake.chats.annotations.filter(each => each !== gone);
			return new Reply(204, '');
		},
	},
	{ method: 'POST', path: '/audio-to-text', handle: convertAudioToText },
	{ method: 'POST', path: '/text-to-audio', handle: convertTextToAudio },
	{ method: 'POST', path: '/files/upload', handle: uploadFile },
	{ method: 'GET', path: '/end-users/{user}', handle: getEndUser },
	{ method: 'GET', path: '/files/{file}/preview', handle: getFilePreview },
];

function findMessage({ fake, app, params }: Exchange): { messageId: string; conversationId: string } {
	const run = fake.runs.all.find(each => each.app === app && each.messageId === params['message']);
	const played = fake.chats.agents.messages.find(each => each.app === app && each.id === params['message']);
	if (!run && !played) {
		throw new Refusal(404, 'not_found', 'Message Not Exists.');
	}
	return { messageId: params['message'] ?? '', conversationId: run?.conversationId ?? played?.conversationId ?? '' };
}

function getEndUser({ fake, app, params }: Exchange): unknown {
	const found = fake.chats.endUsers.get(params['user'] ?? '');
	if (!found || found['app_id'] !== app?.id) {
		throw new Refusal(404, 'end_user_not_found', 'End user not found.');
	}
	return found;
}

/** Returns the content of an uploaded file to any caller with a key of the app. */
function getFilePreview({ fake, app, params }: Exchange): unknown {
	const found = fake.chats.uploads.get(params['file'] ?? '');
	if (!found) {
		throw new Refusal(404, 'file_not_found', 'The requested file was not found.');
	}
	if (found.app !== app) {
		throw new Refusal(403, 'file_access_denied', 'Access to the requested file is denied.');
	}
	return new Reply(200, found.data, found.type);
}

/** Stores the rating of a message. A null rating removes the previous one. */
function setFeedback(exchange: Exchange): unknown {
	const { fake, body } = exchange;
	const user = getRequestUser(exchange);
	const { app } = exchange;
	const { messageId, conversationId } = findMessage(exchange);
	const from = fake.chats.registerEndUser(app, user, fake.getTime());
	const at = new Date(fake.getTime() * 1000).toISOString();
	const rating = body['rating'] ?? null;
	if (rating !== null && rating !== 'like' && rating !== 'dislike') {
		throw new Refusal(400, 'invalid_param', "rating: Input should be 'like' or 'dislike'");
	}
	const place = fake.chats.feedbacks.findIndex(each => each['message_id'] === messageId && each['from_end_user_id'] === from);
	if (place < 0 && rating === null) {
		throw new Refusal(400, 'invalid_param', 'rating cannot be None when feedback not exists');
	}
	const row: Fields = {
		id: randomUUID(),
		app_id: app?.id,
		conversation_id: conversationId,
		message_id: messageId,
		rating,
		content: getBodyText(body, 'content') ?? null,
		from_source: 'user',
		from_end_user_id: from,
		from_account_id: null,
		created_at: at,
		updated_at: at,
	};
	fake.chats.feedbacks.splice(place < 0 ? fake.chats.feedbacks.length : place, place < 0 ? 0 : 1, ...(rating === null ? [] : [row]));
	return { result: 'success' };
}

function getSuggestedQuestions(exchange: Exchange): unknown {
	getAppOfKind(exchange, 'chat');
	getRequestUser(exchange);
	findMessage(exchange);
	if (exchange.fake.chats.suggested === undefined) {
		throw new Refusal(400, 'bad_request', 'Suggested Questions Is Disabled.');
	}
	return { result: 'success', data: exchange.fake.chats.suggested };
}

function listAnnotations(exchange: Exchange): unknown {
	const page = getQueryInteger(exchange, 'page', { usual: 1, most: 99_999 }, [400, 'invalid_param']);
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, [400, 'invalid_param']);
	const keyword = exchange.query.get('keyword')?.toLowerCase() ?? '';
	const all = exchange.fake.chats.annotations.filter(each => JSON.stringify(each).toLowerCase().includes(keyword));
	return { page, limit, total: all.length, has_more: page * limit < all.length, data: all.slice((page - 1) * limit, page * limit) };
}

function readAnnotation({ body }: Exchange): Fields {
	const [question, answer] = [getBodyText(body, 'question'), getBodyText(body, 'answer')];
	if (question === undefined || answer === undefined) {
		throw new Refusal(400, 'invalid_param', 'question and answer: Field required');
	}
	return { question, answer };
}

function findAnnotation({ fake, params }: Exchange): Fields {
	const found = fake.chats.annotations.find(each => each['id'] === params['annotation']);
	if (!found) {
		throw new Refusal(404, 'not_found', 'Annotation not found');
	}
	return found;
}

function convertAudioToText({ raw, request, fake }: Exchange): unknown {
	if (!fake.chats.isFeatureEnabled('speech_to_text')) {
		throw new Refusal(400, 'speech_to_text_disabled', 'Speech to text is disabled.');
	}
	const head = raw.toString('latin1').slice(0, 2000);
	if (!/^multipart\/form-data/.test(request.headers['content-type'] ?? '') || !/name="file"/.test(head)) {
		throw new Refusal(400, 'no_audio_uploaded', 'Please upload your audio.');
	}
	const type = /name="file"[\s\S]*?content-type:\s*([^\s;]+)/i.exec(head)?.[1] ?? '';
	if (!audioTypes.includes(type)) {
		throw new Refusal(415, 'unsupported_audio_type', 'Audio type not allowed.');
	}
	if (raw.length > 30 * 1024 * 1024) {
		throw new Refusal(413, 'audio_too_large', 'Audio size larger than 30 mb');
	}
	return { text: 'What was said' };
}

function convertTextToAudio(exchange: Exchange): unknown {
	getRequestUser(exchange);
	if (!exchange.fake.chats.isFeatureEnabled('text_to_speech')) {
		throw new Refusal(400, 'invalid_param', 'TTS is not enabled');
	}
	if (getBodyText(exchange.body, 'message_id') === undefined && getBodyText(exchange.body, 'text') === undefined) {
		throw new Refusal(400, 'invalid_param', 'text or message_id is required');
	}
	return new Reply(200, Buffer.from('ID3 sound'), 'audio/mpeg');
}

function uploadFile({ raw, request, fake, app }: Exchange): unknown {
	const head = raw.toString('latin1').slice(0, 2000);
	const name = /name="file"; filename="([^"]*)"/.exec(head)?.[1];
	if (!/^multipart\/form-data/.test(request.headers['content-type'] ?? '') || name === undefined) {
		throw new Refusal(400, 'no_file_uploaded', 'Please upload your file.');
	}
	const extension = name.split('.').at(-1) ?? '';
	const id = randomUUID();
	const type = /name="file"[\s\S]*?content-type:\s*([^\s;]+)/i.exec(head)?.[1] ?? 'application/octet-stream';
	const begins = raw.indexOf('\r\n\r\n', raw.indexOf('name="file"')) + 4;
	const boundary = /boundary="?([^";]+)/.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
	fake.chats.uploads.set(id, { app, data: raw.subarray(begins, raw.indexOf(`\r\n--${boundary}`, begins)), type });
	const user = /name="user"[^\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([^\r]*)/.exec(raw.toString('latin1'))?.[1] ?? 'DEFAULT-USER';
	return new Reply(201, {
		id,
		name,
		size: raw.length,
		extension,
		mime_type: type,
		created_by: fake.chats.registerEndUser(app, user, fake.getTime()),
		created_at: Math.floor(fake.getTime()),
	});
}
