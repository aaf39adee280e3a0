export { httpListing as default } from './http-listing.ts';
