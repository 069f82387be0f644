import { type ResponsesRequest, responsesRequestSchema } from '../../../protocol/openai/responses.ts';
import { responsesProtocol } from '../../models/protocols.ts';
import type { TextGeneration } from '../../models/textGeneration.ts';
import type { ResponseHistory } from '../../responses/responseHistory.ts';
import type { Exchange } from '../../server/exchange.ts';
import type { Route } from '../../server/route.ts';
import { badField, checkOpenAiBody, forwardOpenAi, readOpenAiRequest } from './openAiRequest.ts';

/** Responses: passed on where a route says that its service has them, translated to others, and kept for the requests that go on from them. */
export function responseRoutes(generation: TextGeneration, history: ResponseHistory): readonly Route[] {
	return [
		{ method: 'POST', path: '/v1/responses', group: 'openai', handle: exchange => createResponse(generation, history, exchange) },
		{ method: 'GET', path: '/v1/responses/{id}', group: 'openai', handle: exchange => getResponse(history, exchange) },
		{ method: 'DELETE', path: '/v1/responses/{id}', group: 'openai', handle: exchange => deleteResponse(history, exchange) },
	];
}

async function createResponse(generation: TextGeneration, history: ResponseHistory, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	const route = generation.table.find(asked.model);
	if (route.responses) {
		await forwardOpenAi(generation, exchange, asked, route, '/responses', responsesProtocol);
		return;
	}
	const request = checkOpenAiBody(responsesRequestSchema, asked.body);
	refuseOthersState(request);
	const { items, own } = history.inputOf(request);
	const [{ responsesCall }, { responseHead }, { ResponseMaker }, { ResponsesReplyWriter, responsesReply }] = await Promise.all([
		import('../../models/translate/responses/responsesCall.ts'),
		import('../../models/translate/responses/responseHead.ts'),
		import('../../models/translate/responses/responseMaker.ts'),
		import('../../models/translate/responses/responsesReplyWriter.ts'),
	]);
	const { call, tools } = responsesCall(request, items);
	const maker = () =>
		new ResponseMaker(responseHead(request, route.upstreamModel ?? asked.model, tools.kept, Date.now()), {
			tools,
			showsEncrypted: showsEncrypted(request),
			now: Date.now,
			ended: response => history.keep(response, own),
		});
	await generation.answer(exchange, route, asked.model, call, {
		stream: request.stream === true,
		writer: () => new ResponsesReplyWriter(maker()),
		whole: result => responsesReply(result, maker()),
	});
}

function getResponse(history: ResponseHistory, exchange: Exchange): void {
	const { query } = exchange;
	if (query.get('stream') === 'true') {
		throw badField('stream', 'A response that is kept is read whole, not as a stream.');
	}
	// SDKs write lists as include[], include[0] or plainly
	const included = [...query].some(([name, value]) => /^include(\[\d*\])?$/.test(name) && value === encrypted);
	exchange.sendJson(200, history.get(exchange.params['id'] ?? '', included));
}

function deleteResponse(history: ResponseHistory, exchange: Exchange): void {
	const id = exchange.params['id'] ?? '';
	history.delete(id);
	exchange.sendJson(200, { id, object: 'response', deleted: true });
}

const encrypted = 'reasoning.encrypted_content';

/** A caller that has nothing kept gets all that it has to send back. */
function showsEncrypted({ include = [], store }: ResponsesRequest): boolean {
	return store === false || include.includes(encrypted);
}

/** What only OpenAI keeps, or does later. Throws a fault (400) that says what to do. */
function refuseOthersState(request: ResponsesRequest): void {
	if (request.background) {
		throw badField('background', 'Responses are not made in the background here: leave background out, and stream the response.');
	}
	for (const [field, instead] of Object.entries(othersState)) {
		if (request[field] !== undefined) {
			throw badField(field, `${field} is not kept here: ${instead}.`);
		}
	}
}

const othersState: Readonly<Record<string, string>> = {
	conversation: 'go on from a response with previous_response_id, or send the whole conversation as input',
	prompt: 'send its text as instructions and input',
};
