// Types of undici's request without its index, like those of the dispatcher that the client uses (src/network/undici.d.ts).
declare module 'undici/lib/api/api-request.js' {
	import type Dispatcher = require('undici/types/dispatcher');
	function request(
		this: Dispatcher.default,
		options: Dispatcher.default.RequestOptions & { origin: string },
	): Promise<Dispatcher.default.ResponseData>;
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default request;
}
