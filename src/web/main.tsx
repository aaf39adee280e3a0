import { render } from 'preact';
import { serverSource } from '../platform/page/data/server-source.ts';
import { setSource } from '../platform/page/data/source.ts';
import { startAddresses } from '../platform/page/router/address.ts';
import { fileSource, takeDocuments } from '../publish/page/file-source.ts';
import { App } from './app.tsx';

// The HTML file of a static site has the attribute data-site; all other pages come from a server.
const isSite = document.documentElement.dataset['site'] !== undefined;
if (isSite) takeDocuments();
setSource(isSite ? fileSource : serverSource);
startAddresses(isSite ? 'hash' : 'path');
const place = document.getElementById('app');
if (place) render(<App />, place);
