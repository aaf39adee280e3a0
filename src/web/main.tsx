import { render } from 'preact';
import { App } from './app.tsx';
import { fileSource } from './data/file-source.ts';
import { serverSource } from './data/server-source.ts';
import { takeDocuments } from './data/site-scripts.ts';
import { setSource } from './data/source.ts';
import { startAddresses } from './router/address.ts';

// A static site says so in its one file; everything else comes from a server.
const isSite = document.documentElement.dataset['site'] !== undefined;
if (isSite) takeDocuments();
setSource(isSite ? fileSource : serverSource);
startAddresses(isSite ? 'hash' : 'path');
const place = document.getElementById('app');
if (place) render(<App />, place);
