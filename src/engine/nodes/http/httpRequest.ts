import type { IncomingReply } from '#network/guardedRequest.ts';
import { sendRequest } from '../../run/engineTypes.ts';
import { NodeError } from '../nodeError.ts';
import { defineNodeType } from '../nodeType.ts';
import { buildBody } from './httpBody.ts';
import { buildHttpMessage, formatRequest } from './httpMessage.ts';
import { buildReplyOutputs, isTextResponse } from './httpReply.ts';
import { httpSchema } from './httpSchema.ts';
import { checkStatus } from './httpStatus.ts';

/**
 * Maximum size of text and other responses in bytes, and time limit of a request in seconds, as in the hosted service (workflow DSL,
 * "http-request").
 */
const maxTextBytes = 1024 * 1024;
const maxFileBytes = 10 * 1024 * 1024;
const maxConnectSeconds = 10;
const maxReadSeconds = 600;

/** HTTP request node. Private networks are refused unless the gateway's user allows them. */
export const httpRequest = defineNodeType({
	type: 'http-request',
	schema: httpSchema,
	async run(context) {
		const { settings, variables, secrets, services, signal, record, node, run } = context;
		const body = await buildBody(settings.body, variables, services, signal);
		const message = buildHttpMessage(settings, variables, secrets, body.contentType);
		const { url, headers, secretHeaders, redactor } = message;
		record.inputs = {};
		record.processData = { request: formatRequest(settings.method, message, body.bytes) };
		let reply: IncomingReply;
		try {
			reply = await sendRequest(services, {
				url,
				method: settings.method,
				headers,
				secretHeaders,
				body: body.bytes,
				hasSecretBody: () => redactor.containsSecret(body.bytes?.toString() ?? ''),
				network: services.settings.network,
				allowPrivateNetwork: services.settings.allowPrivateNetwork,
				verifyCertificates: settings.ssl_verify ?? true,
				connectTimeoutMs: Math.min(settings.timeout?.connect ?? maxConnectSeconds, maxConnectSeconds) * 1000,
				readTimeoutMs: Math.min(settings.timeout?.read ?? maxReadSeconds, maxReadSeconds) * 1000,
				getMaxBytes: replyHeaders => (isTextResponse(replyHeaders) ? maxTextBytes : maxFileBytes),
				signal,
			});
		} catch (error) {
			signal.throwIfAborted();
			throw new NodeError(redactor.redactText(`${settings.method} ${url.origin}: ${getRequestErrorMessage(error)}`), getErrorType(error), {
				cause: redactor.redactCause(error),
			});
		}
		checkStatus(node, reply.status);
		return { outputs: await buildReplyOutputs(reply, services.files, run.user) };
	},
});

function getRequestErrorMessage(error: unknown): string {
	const { message, code } = error as NodeJS.ErrnoException;
	return message || code || 'the request failed';
}

function getErrorType(error: unknown): string {
	const { name } = error as Error;
	// by name, because a replayed error has another class
	return name === 'ResponseSizeError' || name === 'PrivateAddressError' ? name : 'HttpRequestNodeError';
}
