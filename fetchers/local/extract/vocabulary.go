package extract

import "strings"

// nameWords are looked for in the names (class, id, role and the like) of the
// elements around a block. They are the parts of names that tell content from
// boilerplate on many sites; a new one needs new weights.
var nameWords = strings.Fields(`about accordion account action actions active ad add ads advert alert align all ancestor animation announcement answer archive
	arrow article articles aside author auto avatar back background badge banner bar between bg bio block blog body border bottom
	box brand branding breadcrumb breadcrumbs btn burger button buttons buy by byline caption card carousel cart cat categories
	category center child children clear close code col collection colophon color column comment comments company compare
	complementary consent contact container content contentinfo contents controls cookie copyright count country cross crumb cta
	current custom dark date default delivery desc description desktop detail details disclaimer display doc docs dropdown edit
	element email embed end entry event excerpt facebook facet faq feature features feed field fields figure filter first fixed flex
	fn focus focusable follow foot footer form forum full gallery global grid group has head header heading help hero hidden hide
	highlight history home horizontal hover icon icons id image in info inline inner input instagram intro item items js justify
	label lang last latest lead left legal lg light likes link linkedin links list listing login logo main map markdown masthead
	media medium mega megamenu member menu menuitem message meta middle ml mobile modal module more msg my name nav navbar
	navigation new news newsletter next no none not note notice nowrap object on only open option options outline overlay page pager
	pagination panel parent partner pinterest pointer policy popular popup post postid posts powered prev previous price pricing
	primary print privacy product products profile promo prose pt published py question quote rating reader recent recently
	recommend region related relative repeater reply required resources respond responsive result results review reviews right
	rounded row score screen scroll search searchform secondary section selected seller settings shape share shipping shop show side
	sidebar sign signature signup single singular site size skip slider sm small social spec sponsor sr start stat stats step sticky
	stock store story stream stretch style sub submenu submit subnav subscribe subtitle success summary support tab table tablet tag
	tags taxonomy team teaser template terms testimonial text textwidget theme thread thumb tile time title to toc toggle toolbar
	top topic topics trending trigger twitter type underline upsell url us user variant vcard vertical video view viewed visible
	visually vote votes white widget width wishlist wrap wrapper xs youtube`)

// labelWords are looked for in short blocks and in headings, as nameWords in
// names.
var labelWords = strings.Fields(`about accessibility account add address advertise advertisement affiliate ago all also and answer answered answers app archive
	are article articles asked august author awards back become blog blogs book books browse business buy by calendar call careers
	cart categories category center choose click close com comment comments community company conditions connect contact content
	contents cookie cookies copyright cost culture customer customers data dec december demo description details deutsch directory
	do docs documentation does donate download edit editorial education email english events explore external facebook faq faqs
	featured features fields filter financial find follow food footer for forum forums free general get guide guidelines guides help
	hide home how hub if in inbox inc include industries info information instagram is january jobs join july key last latest learn
	leave legal life like likes link linkedin links llc loading locations log login long main management march marketing may media
	members menu min more name navigation new news newsletter newsletters newsroom next notes notice nov november now october of
	online open or our overview page partner partners phone pinterest podcast podcasts policies policy popular portal post posted
	posts press prev previous price pricing print privacy product products program published question quote rating read reading
	recent recently recommended reddit references register related releases reply report request reserved resources retail review
	reviews rights rss sales save science search security see sell send service services settings share shipping shop show sign
	similar site sitemap skip social software solutions sort sources specifications sponsored staff started statement status stay
	store stories story studies submit subscribe support table tags take team tech terms testimonials that the this thread tips to
	today toggle tools top topic topics touch trending tutorials tweet twitter types up updated updates us use videos view viewed
	views votes webinars website what why work written you youtube`)

// stopWords are frequent words of European languages: prose is full of them,
// labels and names are not.
var stopWords = set(`the of and to in a is that for it as was with be by on not he i this are or his from at which but have an had they you
	were their one all we can her has there been if more when will would who so no she other its may these what them than some him time
	into only do could new then my any your about out our up also de la le les et des en du un une que pour dans der die und das den von
	zu mit sich ist nicht ein eine el los las por con para se su al lo как и в не на что с по это il di che è per w na z się nie do to`)

var (
	nameIndex  = indexOf(nameWords)
	labelIndex = indexOf(labelWords)
)

func indexOf(words []string) map[string]int {
	m := make(map[string]int, len(words))
	for i, w := range words {
		m[w] = i
	}
	return m
}
