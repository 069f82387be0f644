import { getErrorMessage } from '#base/problems.ts';
import { getContextWindow, isTokenCount } from '../../chat/modelLimits.ts';
import type { Targets } from '../../chat/targets.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { type ChosenEndpoint, type ChosenModel, chosenEndpoints } from './chosenModel.ts';

/** A model or agent that can be chosen. `detail` describes it. */
export interface OfferedModel extends ChosenModel {
	readonly detail?: string;
}

/** Models of a connection, with a message for each list that couldn't be loaded. */
interface Offer {
	readonly connection: Connection;
	readonly models: readonly OfferedModel[];
	readonly problems: readonly string[];
}

/** Lists the models of all connections in order, without asking for keys. */
export function listOffers(connections: Connections, targets: Targets): Promise<Offer[]> {
	return Promise.all(connections.list().map(connection => createOffer(connections, targets, connection)));
}

async function createOffer(connections: Connections, targets: Targets, connection: Connection): Promise<Offer> {
	const lists = await Promise.allSettled(
		listOfferedEndpoints(targets, connection).map(each => listModelsOfEndpoint(connections, targets, connection, each)),
	);
	const failures = lists.flatMap(list =>
		list.status === 'rejected' ? [getErrorMessage(connections.toProblem(connection.id, list.reason))] : [],
	);
	return {
		connection,
		models: lists.flatMap(list => (list.status === 'fulfilled' ? list.value : [])),
		problems: [...new Set(failures)],
	};
}

/** Returns the endpoints to offer. If a gateway has both messages and content, returns only messages, which preserve more of a chat. */
function listOfferedEndpoints(targets: Targets, connection: Connection): ChosenEndpoint[] {
	const has = targets.listEndpoints(connection);
	return chosenEndpoints.filter(each => has.includes(each) && !(each === 'content' && has.includes('messages')));
}

async function listModelsOfEndpoint(
	connections: Connections,
	targets: Targets,
	{ id, ...connection }: Connection,
	endpoint: ChosenEndpoint,
): Promise<OfferedModel[]> {
	if (endpoint === 'agent') {
		const agents = await targets.listModels(endpoint, { id, ...connection });
		return agents.map(({ name, detail }) => ({ connection: id, endpoint, model: name, ...(detail && { detail }) }));
	}
	const client = await connections.getClient(id, { ask: false });
	if (endpoint === 'content') {
		const models = await client.listContentModels();
		return models
			.filter(model => model.supportedGenerationMethods?.includes('generateContent') ?? true)
			.map(({ name, displayName, inputTokenLimit, outputTokenLimit }) => ({
				connection: id,
				endpoint,
				model: name.replace(/^models\//, ''),
				...(displayName && { detail: displayName }),
				...toTokenLimits(inputTokenLimit, outputTokenLimit),
			}));
	}
	return (await client.listMessagesModels()).map(model => ({
		connection: id,
		endpoint,
		model: model.id,
		...(model.display_name && model.display_name !== model.id && { detail: model.display_name }),
		...toTokenLimits(getContextWindow(model), model['max_tokens']),
	}));
}

function toTokenLimits(input: unknown, output: unknown): Pick<ChosenModel, 'maxInputTokens' | 'maxOutputTokens'> {
	return { ...(isTokenCount(input) && { maxInputTokens: input }), ...(isTokenCount(output) && { maxOutputTokens: output }) };
}
